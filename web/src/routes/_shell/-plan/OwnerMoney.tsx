import type { PlanSeat } from '#domain/seats.ts'
import { isPaidDirectly } from '#domain/start-steps.ts'
import { MemberPaymentsCard } from '#features/money/payments/MemberPaymentsCard.tsx'
import { PlanTermsCard } from '#features/money/payments/PlanTermsCard.tsx'
import { WishesCard } from '#features/money/payments/WishesCard.tsx'
import { NewsCard } from '#features/plans/notices/NewsCard.tsx'
import { Sections } from '#ui/Sections.tsx'
import type { PlanViewProps } from './PlanStates.tsx'

/** The owner's section about money: members' payments and the plan's terms. */
export function OwnerMoney({
  plan,
  user,
  seats,
}: Omit<PlanViewProps, 'onChat'> & { seats: readonly PlanSeat[] }) {
  return (
    <Sections>
      <MemberPaymentsCard plan={plan} />
      <PlanTermsCard plan={plan} />
      <NewsCard plan={plan} />
      {isPaidDirectly(plan, seats) && <WishesCard userId={user.id} />}
    </Sections>
  )
}
