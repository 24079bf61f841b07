import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { OwnerStep } from '#domain/next-step.ts'
import { isOpen } from '#domain/problems.ts'
import { accessStep } from '#domain/seats.ts'
import { InviteMember } from '#features/joining/invitations/InviteMember.tsx'
import { JoinRequestsCard } from '#features/joining/join-requests/JoinRequestsCard.tsx'
import type { PendingRequest } from '#features/joining/join-requests/join-requests.queries.ts'
import { MembersCard } from '#features/joining/memberships/MembersCard.tsx'
import { MembersStack } from '#features/joining/memberships/MembersStack.tsx'
import { usePaymentsLive } from '#features/money/payments/payments.live.ts'
import { SeatLine } from '#features/money/payments/SeatLine.tsx'
import { planSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { CoinBalanceBadge } from '#features/money/wallet/CoinBalanceBadge.tsx'
import { AnnounceButton } from '#features/people/chat/AnnounceButton.tsx'
import { ChatButton } from '#features/people/chat/ChatButton.tsx'
import type { ChatPartner } from '#features/people/chat/chat.queries.ts'
import { CancelPlanButton } from '#features/plans/shared-plans/CancelPlanButton.tsx'
import { PlanSummaryCard } from '#features/plans/shared-plans/PlanSummaryCard.tsx'
import { forgetPlan } from '#features/plans/shared-plans/plan-memory.ts'
import { useProblemsLive } from '#features/trust/problems/problems.live.ts'
import { planProblemsQuery } from '#features/trust/problems/problems.queries.ts'
import { lazyPart, onceOnline } from '#lib/online.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { brandOf } from '../-brand.tsx'
import { Level } from '../-Level.tsx'
import { Access } from './Access.tsx'
import { NextStep } from './NextStep.tsx'
import { BackToList, type PlanViewProps } from './PlanStates.tsx'
import classes from './PlanViews.module.css'
import { useOwnerStep } from './use-owner-step.ts'

const OpenInvitations = lazyPart(
  async () => (await import('#features/joining/invitations/OpenInvitations.tsx')).OpenInvitations,
)
const OwnerRest = lazy(() => onceOnline(() => import('./OwnerRest.tsx')))
const MemberPaymentsCard = lazyPart(
  async () => (await import('#features/money/payments/MemberPaymentsCard.tsx')).MemberPaymentsCard,
)
const GiveAccessTask = lazyPart(
  async () => (await import('#features/trust/access/GiveAccessTask.tsx')).GiveAccessTask,
)
const ProblemNotice = lazyPart(
  async () => (await import('#features/trust/problems/PlanProblems.tsx')).ProblemNotice,
)
const QuestionsCard = lazyPart(
  async () => (await import('#features/people/chat/QuestionsCard.tsx')).QuestionsCard,
)
const MomentCard = lazy(() => onceOnline(() => import('#features/account/notifications/MomentCard.tsx')))
const OwnerNextStep = lazyPart(async () => (await import('./OwnerNextStep.tsx')).OwnerNextStep)

const ASK = 'Ask a question'

/** A plan as its owner manages it: the next step, requests, members and their payments, and settings. */
export default function OwnerView({ plan, user, onChat }: PlanViewProps) {
  const navigate = useNavigate()
  const step = useOwnerStep(plan, user.id)
  const [approved, setApproved] = useState<PendingRequest | null>(null)
  const { data: seats = [] } = useQuery(planSeatsQuery(plan.id))
  const { data: problems = [] } = useQuery(planProblemsQuery(plan.id, user.id))
  usePaymentsLive(user.id)
  useProblemsLive({ userId: user.id })
  const leave = () => {
    forgetPlan(plan.id)
    void navigate({ to: '/my-subscriptions', search: { tab: 'shared' } })
  }
  const partner = (memberId: string, name: string, avatarUrl: string | null): ChatPartner => ({
    parties: { planId: plan.id, ownerId: plan.ownerId, memberId },
    planName: `${plan.provider} ${plan.name}`,
    name,
    avatarUrl,
  })
  const chatWith = (memberId: string, name: string, avatarUrl: string | null, label?: string) => {
    const other = partner(memberId, name, avatarUrl)
    const open = () => onChat(other)
    return (
      <ChatButton
        parties={other.parties}
        userId={user.id}
        name={name}
        onOpen={open}
        {...(label && { label })}
      />
    )
  }
  const tasks = [
    {
      key: 'requests',
      card: (
        <JoinRequestsCard
          planId={plan.id}
          levelOf={({ userId, name }) => <Level userId={userId} name={name} />}
          chat={({ userId: memberId, name, avatarUrl }) => chatWith(memberId, name, avatarUrl, ASK)}
          onApproved={setApproved}
        />
      ),
    },
    ...seats
      .filter((seat) => accessStep(seat) === 'waiting')
      .map((seat) => ({ key: seat.id, card: <GiveAccessTask seat={seat} /> })),
    ...problems
      .filter(isOpen)
      .map((problem) => ({ key: problem.id, card: <ProblemNotice problem={problem} userId={user.id} /> })),
  ]
  const next = step && keyOf(step)
  const isNext = ({ key }: { key: string }) => key === next
  return (
    <>
      <BackToList tab="shared" />
      <PageTitle quiet title="Manage Your Shared Plan" />
      <PlanSummaryCard
        plan={plan}
        userId={user.id}
        brand={brandOf(plan.provider)}
        people={<MembersStack planId={plan.id} />}
      />
      <div className={classes.columns}>
        <div>
          <Suspense>
            <MomentCard
              userId={user.id}
              planId={plan.id}
              own={
                approved && {
                  moment: {
                    title: `${approved.name} is in`,
                    text: 'Say hello, and tell them what they need to know.',
                    action: (
                      <Button
                        onClick={() => onChat(partner(approved.userId, approved.name, approved.avatarUrl))}
                      >
                        Open the chat
                      </Button>
                    ),
                  },
                  onClose: () => setApproved(null),
                }
              }
            />
          </Suspense>
          <Stack gap="md">
            <Suspense>{step && <OwnerNextStep plan={plan} step={step} />}</Suspense>
            {[...tasks.filter(isNext), ...tasks.filter((task) => !isNext(task))].map((task) => (
              <NextStep key={task.key} on={isNext(task)}>
                <Suspense>{task.card}</Suspense>
              </NextStep>
            ))}
            <Suspense>
              <QuestionsCard plan={plan} userId={user.id} onChat={onChat} />
            </Suspense>
            <MembersCard
              plan={plan}
              userId={user.id}
              seats={seats}
              coins={plan.settlement === 'potluck' && <CoinBalanceBadge userId={user.id} />}
              levelOf={({ userId: memberId, displayName }) => <Level userId={memberId} name={displayName} />}
              seatOf={({ userId: memberId }) => <SeatLine planId={plan.id} memberId={memberId} />}
              invite={
                <Group gap="xs">
                  <AnnounceButton plan={plan} />
                  <InviteMember plan={plan} />
                </Group>
              }
              invited={
                <Suspense>
                  <OpenInvitations planId={plan.id} />
                </Suspense>
              }
              chat={({ userId: memberId, displayName: name, avatarUrl }) =>
                chatWith(memberId, name, avatarUrl)
              }
            />
            <Suspense>
              <MemberPaymentsCard plan={plan} />
            </Suspense>
          </Stack>
        </div>
        <Stack gap="md">
          <Access planId={plan.id} userId={user.id} isOwner />
          <Suspense>
            <OwnerRest plan={plan} user={user} />
          </Suspense>
          <Group>
            <CancelPlanButton plan={plan} seats={seats} onCancelled={leave} />
          </Group>
        </Stack>
      </div>
    </>
  )
}

/** The key of the card that a step is about, if it has one on this page. */
function keyOf(step: OwnerStep): string | null {
  if (step.kind === 'requests') return 'requests'
  if (step.kind === 'access') return step.seat.id
  return step.kind === 'problem' ? step.problem.id : null
}
