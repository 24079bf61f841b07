import { t } from '@lingui/core/macro'
import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { OwnerStep } from '#domain/next-step.ts'
import { isOpen } from '#domain/open-problem.ts'
import { accessStep } from '#domain/seats.ts'
import { JoinRequestsCard } from '#features/joining/join-requests/JoinRequestsCard.tsx'
import { usePendingRequestsLive } from '#features/joining/join-requests/join-requests.live.ts'
import {
  type PendingRequest,
  pendingRequestsQuery,
} from '#features/joining/join-requests/join-requests.queries.ts'
import { MembersStack } from '#features/joining/memberships/MembersStack.tsx'
import { ConfirmPayment } from '#features/money/payments/lazy-cards.ts'
import { usePaymentsLive } from '#features/money/payments/payments.live.ts'
import { openPaymentsQuery } from '#features/money/payments/payments.queries.ts'
import { planSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { chatPartner } from '#features/people/chat/chat.queries.ts'
import { PlanSummaryCard } from '#features/plans/shared-plans/PlanSummaryCard.tsx'
import { useVaultLive } from '#features/trust/access/vault.live.ts'
import { useProblemsLive } from '#features/trust/problems/problems.live.ts'
import { planProblemsQuery } from '#features/trust/problems/problems.queries.ts'
import { lazyPart, onceOnline } from '#lib/online.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { NextStep } from './NextStep.tsx'
import { OwnerSections } from './OwnerSections.tsx'
import { BackToList, type PlanViewProps } from './PlanStates.tsx'
import classes from './PlanViews.module.css'
import { useOwnerStep } from './use-owner-step.ts'

const GiveAccessTask = lazyPart(
  async () => (await import('#features/trust/access/GiveAccessTask.tsx')).GiveAccessTask,
)
const ProblemNotice = lazyPart(
  async () => (await import('#features/trust/problems/PlanProblems.tsx')).ProblemNotice,
)
const MomentCard = lazy(() => onceOnline(() => import('#features/account/notifications/MomentCard.tsx')))
const OwnerNextStep = lazyPart(async () => (await import('./OwnerNextStep.tsx')).OwnerNextStep)
const OwnerPeople = lazyPart(async () => (await import('./OwnerPeople.tsx')).OwnerPeople)
const OwnerMoney = lazyPart(async () => (await import('./OwnerMoney.tsx')).OwnerMoney)
const OwnerAccess = lazyPart(async () => (await import('./OwnerAccess.tsx')).OwnerAccess)
const OwnerSettings = lazyPart(async () => (await import('./OwnerSettings.tsx')).OwnerSettings)

/** A plan's page for its owner: tasks, and below them the sections people, money, access and settings. */
export default function OwnerView({ plan, user, onChat }: PlanViewProps) {
  const step = useOwnerStep(plan, user.id)
  const [approved, setApproved] = useState<PendingRequest | null>(null)
  const { data: requests, error: requestsFailed } = useQuery(pendingRequestsQuery(plan.id))
  const { data: seats = [], isFetched: seatsKnown } = useQuery(planSeatsQuery(plan.id))
  const { data: problems = [] } = useQuery(planProblemsQuery(plan.id, user.id))
  const { data: payments = [] } = useQuery(openPaymentsQuery(plan.id))
  const [isAsked, setAsked] = useState(false)
  // The card for join requests stays in place after the last answer, so that the owner sees the result there.
  if (requests?.length && !isAsked) setAsked(true)
  usePendingRequestsLive(plan.id)
  usePaymentsLive(user.id)
  useProblemsLive({ userId: user.id })
  useVaultLive(plan.id, user.id)
  const waiting = seats.filter((seat) => accessStep(seat) === 'waiting')
  // Until the new member's place has loaded, it is unknown whether a card asks for their access.
  const isIn = seats.some((seat) => seat.memberId === approved?.userId && !waiting.includes(seat))
    ? approved
    : null
  const joinRequests = <JoinRequestsCard plan={plan} onChat={onChat} onApproved={setApproved} />
  const tasks = [
    ...(isAsked ? [{ key: 'requests', card: joinRequests }] : []),
    ...waiting.map((seat) => ({ key: seat.id, card: <GiveAccessTask planId={plan.id} seat={seat} /> })),
    ...problems
      .filter(isOpen)
      .map((problem) => ({ key: problem.id, card: <ProblemNotice problem={problem} userId={user.id} /> })),
    ...payments
      .filter(({ status }) => status === 'claimed')
      .map((payment) => ({ key: payment.id, card: <ConfirmPayment payment={payment} /> })),
  ]
  const next = step && keyOf(step)
  const isNext = ({ key }: { key: string }) => key === next
  return (
    <>
      <BackToList tab="shared" />
      <PageTitle quiet title={t`Manage Your Shared Plan`} />
      <div className={classes.owner}>
        <div className={classes.glance}>
          <PlanSummaryCard plan={plan} userId={user.id} people={<MembersStack planId={plan.id} />} />
        </div>
        <div>
          <Suspense>
            <MomentCard
              userId={user.id}
              planId={plan.id}
              isAccessDue={!seatsKnown || waiting.length > 0}
              own={
                isIn && {
                  moment: {
                    title: t`${{ member: isIn.name }} is in`,
                    text: t`Say hello in the chat.`,
                    action: (
                      <Button
                        variant="default"
                        onClick={() => {
                          setApproved(null)
                          onChat(chatPartner(plan, isIn.userId, isIn))
                        }}
                      >
                        {t`Open chat`}
                      </Button>
                    ),
                  },
                  onClose: () => setApproved(null),
                }
              }
            />
          </Suspense>
          <Stack gap="md" mb="xs">
            <Suspense>
              <OwnerNextStep {...{ plan, step }} />
            </Suspense>
            {[...tasks.filter(isNext), ...tasks.filter((task) => !isNext(task))].map((task) => (
              <NextStep key={task.key} on={isNext(task)}>
                <Suspense fallback={<RowsSkeleton rows={2} />}>{task.card}</Suspense>
              </NextStep>
            ))}
          </Stack>
          <OwnerSections
            people={
              <OwnerPeople
                {...{ plan, user, onChat, seats }}
                requests={!isAsked && (requests || requestsFailed) && joinRequests}
              />
            }
            money={<OwnerMoney {...{ plan, user, seats }} />}
            access={<OwnerAccess {...{ plan, user }} />}
            settings={<OwnerSettings {...{ plan, user, seats }} />}
          />
        </div>
      </div>
    </>
  )
}

/** The key of the card for a step; null if this page has no card for the step. */
function keyOf(step: OwnerStep): string | null {
  switch (step.kind) {
    case 'requests':
      return 'requests'
    case 'access':
      return step.seat.id
    case 'problem':
      return step.problem.id
    case 'confirm':
      return step.payment.id
    default:
      return null
  }
}
