import { useNavigate } from '@tanstack/react-router'
import { ChatButton } from '#features/chat/ChatButton.tsx'
import { LeaveButton } from '#features/memberships/LeaveButton.tsx'
import { PlanOwnerCard } from '#features/memberships/PlanOwnerCard.tsx'
import { forgetPlan } from '#features/plans/plan-memory.ts'
import { SubscribedPlanCard } from '#features/plans/SubscribedPlanCard.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { brandOf } from '../-brand.tsx'
import type { PlanViewProps } from './PlanScreen.tsx'
import { BackLink } from './PlanStates.tsx'
import classes from './PlanViews.module.css'

/** A plan somebody joined: what it costs, how to get in, whom to ask. */
export function MemberView({ plan, user, onChat }: PlanViewProps) {
  const navigate = useNavigate()
  const leave = () => {
    forgetPlan(plan.id)
    void navigate({ to: '/my-subscriptions', search: { tab: 'subscribed' } })
  }
  return (
    <>
      <BackLink tab="subscribed" />
      <PageTitle
        title="Your Subscribed Plan"
        actions={<LeaveButton plan={plan} userId={user.id} onLeft={leave} />}
      />
      <div className={classes.member}>
        <SubscribedPlanCard plan={plan} brand={brandOf(plan.provider)} />
        <PlanOwnerCard
          planId={plan.id}
          chat={({ displayName: name, avatarUrl }) => {
            const parties = { planId: plan.id, ownerId: plan.ownerId, memberId: user.id }
            const planName = `${plan.provider} ${plan.name}`
            const open = () => onChat({ parties, planName, name, avatarUrl })
            return <ChatButton parties={parties} userId={user.id} name={name} onOpen={open} />
          }}
        />
      </div>
    </>
  )
}
