import { useNavigate } from '@tanstack/react-router'
import type { PlanSeat } from '#domain/seats.ts'
import { usePreparation } from '#features/joining/preparation/use-preparation.tsx'
import { CancelPlanCard } from '#features/plans/shared-plans/CancelPlanCard.tsx'
import { FindingCard } from '#features/plans/shared-plans/FindingCard.tsx'
import { InstantCard } from '#features/plans/shared-plans/InstantCard.tsx'
import { PlanChanges } from '#features/plans/shared-plans/PlanChanges.tsx'
import { forgetPlan } from '#features/plans/shared-plans/plan-memory.ts'
import { lazyPart } from '#lib/online.ts'
import { Sections } from '#ui/Sections.tsx'
import type { PlanViewProps } from './PlanStates.tsx'

const HandOverCard = lazyPart(
  async () => (await import('#features/joining/handing-over/HandOverCard.tsx')).HandOverCard,
)

/** The owner's section with settings: who can find the plan, who gets in instantly, past changes, handing over, cancelling. */
export function OwnerSettings({
  plan,
  user,
  seats,
}: Omit<PlanViewProps, 'onChat'> & { seats: readonly PlanSeat[] }) {
  const navigate = useNavigate()
  const { prepare, dialog } = usePreparation(plan, { instant: true })
  const leave = () => {
    forgetPlan(plan.id)
    void navigate({ to: '/my-subscriptions', search: { tab: 'shared' } })
  }
  return (
    <Sections>
      <FindingCard plan={plan} userId={user.id} />
      <InstantCard plan={plan} userId={user.id} prepare={prepare} />
      <PlanChanges planId={plan.id} currency={plan.currency} />
      <HandOverCard plan={plan} seats={seats} />
      <CancelPlanCard plan={plan} seats={seats} onCancelled={leave} />
      {dialog}
    </Sections>
  )
}
