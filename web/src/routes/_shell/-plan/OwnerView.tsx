import { Group, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { GiveAccessTasks } from '#features/access/GiveAccessTasks.tsx'
import { AnnounceButton } from '#features/chat/AnnounceButton.tsx'
import { ChatButton } from '#features/chat/ChatButton.tsx'
import { InviteMember } from '#features/invitations/InviteMember.tsx'
import { OpenInvitations } from '#features/invitations/OpenInvitations.tsx'
import { JoinRequestsCard } from '#features/join-requests/JoinRequestsCard.tsx'
import { MembersCard } from '#features/memberships/MembersCard.tsx'
import { MembersStack } from '#features/memberships/MembersStack.tsx'
import { usePaymentsLive } from '#features/payments/payments.live.ts'
import { CancelPlanButton } from '#features/plans/CancelPlanButton.tsx'
import { PlanSummaryCard } from '#features/plans/PlanSummaryCard.tsx'
import { forgetPlan } from '#features/plans/plan-memory.ts'
import { OpenProblems } from '#features/problems/PlanProblems.tsx'
import { CoinBalanceBadge } from '#features/wallet/CoinBalanceBadge.tsx'
import { onceOnline } from '#lib/online.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { brandOf } from '../-brand.tsx'
import { Level } from '../-Level.tsx'
import { Access } from './Access.tsx'
import type { PlanViewProps } from './PlanScreen.tsx'
import { BackLink } from './PlanStates.tsx'
import classes from './PlanViews.module.css'

const OwnerRest = lazy(() => onceOnline(() => import('./OwnerRest.tsx')))

const ASK = 'Ask a question'

/** A plan in its owner's hands: requests to answer, people, slots. */
export default function OwnerView({ plan, user, onChat }: PlanViewProps) {
  const navigate = useNavigate()
  usePaymentsLive(user.id)
  const leave = () => {
    forgetPlan(plan.id)
    void navigate({ to: '/my-subscriptions', search: { tab: 'shared' } })
  }
  const chatWith = (memberId: string, name: string, avatarUrl: string | null, label?: string) => {
    const parties = { planId: plan.id, ownerId: plan.ownerId, memberId }
    const planName = `${plan.provider} ${plan.name}`
    const open = () => onChat({ parties, planName, name, avatarUrl })
    return (
      <ChatButton parties={parties} userId={user.id} name={name} onOpen={open} {...(label && { label })} />
    )
  }
  return (
    <>
      <BackLink tab="shared" />
      <PageTitle
        title="Manage Your Shared Plan"
        actions={<CancelPlanButton plan={plan} onCancelled={leave} />}
      />
      <div className={classes.todo}>
        <OpenProblems planId={plan.id} userId={user.id} />
        <GiveAccessTasks planId={plan.id} />
      </div>
      <div className={classes.owner}>
        <div className={classes.summary}>
          <Stack gap="md">
            <PlanSummaryCard
              plan={plan}
              userId={user.id}
              brand={brandOf(plan.provider)}
              people={<MembersStack planId={plan.id} />}
            />
            <Access planId={plan.id} userId={user.id} isOwner />
          </Stack>
        </div>
        <div className={classes.requests}>
          <Stack gap="md">
            <JoinRequestsCard
              planId={plan.id}
              levelOf={({ userId, name }) => <Level userId={userId} name={name} />}
              chat={({ userId: memberId, name, avatarUrl }) => chatWith(memberId, name, avatarUrl, ASK)}
            />
            <Suspense>
              <OwnerRest plan={plan} user={user} onChat={onChat} />
            </Suspense>
          </Stack>
        </div>
        <div className={classes.members}>
          <MembersCard
            plan={plan}
            userId={user.id}
            coins={plan.settlement === 'potluck' && <CoinBalanceBadge userId={user.id} />}
            levelOf={({ userId: memberId, displayName }) => <Level userId={memberId} name={displayName} />}
            invite={
              <Group gap="xs">
                <AnnounceButton plan={plan} />
                <InviteMember plan={plan} />
              </Group>
            }
            invited={<OpenInvitations planId={plan.id} />}
            chat={({ userId: memberId, displayName: name, avatarUrl }) => chatWith(memberId, name, avatarUrl)}
          />
        </div>
      </div>
    </>
  )
}
