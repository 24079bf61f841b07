import type { OfferPage } from '#features/plans/browse/market.queries.ts'
import { PlanChanges } from '#features/plans/shared-plans/PlanChanges.tsx'
import { useRole } from '#features/staff/roles/use-role.ts'

/** A plan's history below its public page, for staff who may see every plan. */
export default function StaffHistory({ offer, userId }: { offer: OfferPage; userId: string }) {
  const { may } = useRole(userId)
  return may('subscriptions.view') && <PlanChanges planId={offer.id} currency={offer.currency} />
}
