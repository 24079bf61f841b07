import { t } from '@lingui/core/macro'
import { Card, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type MemberStep, memberStep } from '#domain/next-step.ts'
import { isOpen } from '#domain/open-problem.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { accessStep, periodEnd, termsOf } from '#domain/seats.ts'
import { LeaveButton } from '#features/joining/memberships/LeaveButton.tsx'
import { PlanOwnerCard } from '#features/joining/memberships/PlanOwnerCard.tsx'
import { PayOwnerCard } from '#features/money/payments/lazy-cards.ts'
import { OwnSeatCard } from '#features/money/payments/OwnSeatCard.tsx'
import { PlaceLine } from '#features/money/payments/PlaceLine.tsx'
import { usePaymentsLive } from '#features/money/payments/payments.live.ts'
import { ownOpenPaymentsQuery } from '#features/money/payments/payments.queries.ts'
import { ownSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { proposalsQuery } from '#features/money/payments/terms.queries.ts'
import { openProposal, sameTerms } from '#features/money/payments/terms-text.ts'
import { forgetPlan } from '#features/plans/shared-plans/plan-memory.ts'
import { SubscribedPlanCard } from '#features/plans/shared-plans/SubscribedPlanCard.tsx'
import type { AccessCardProps } from '#features/trust/access/AccessCard.tsx'
import { useVaultLive } from '#features/trust/access/vault.live.ts'
import { vaultEntryQuery } from '#features/trust/access/vault.queries.ts'
import { useProblemsLive } from '#features/trust/problems/problems.live.ts'
import { planProblemsQuery } from '#features/trust/problems/problems.queries.ts'
import { REPORT_HASH, ReportLink } from '#features/trust/problems/ReportLink.tsx'
import { lazyPart, onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { Sections } from '#ui/Sections.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { NextStep } from './NextStep.tsx'
import { BackToList, type PlanViewProps } from './PlanStates.tsx'
import classes from './PlanViews.module.css'

const OwnAccessCard = lazyPart(
  async () => (await import('#features/trust/access/OwnAccessCard.tsx')).OwnAccessCard,
)
const ReportDialog = lazyPart(
  async () => (await import('#features/trust/problems/ReportDialog.tsx')).ReportDialog,
)
const ProblemNotice = lazyPart(
  async () => (await import('#features/trust/problems/PlanProblems.tsx')).ProblemNotice,
)
const PlanOfferCard = lazyPart(
  async () => (await import('#features/joining/handing-over/PlanOfferCard.tsx')).PlanOfferCard,
)
const TermsNotice = lazyPart(
  async () => (await import('#features/money/payments/TermsNotice.tsx')).TermsNotice,
)
const PlanNotices = lazyPart(
  async () => (await import('#features/plans/notices/PlanNotices.tsx')).PlanNotices,
)
const MomentCard = lazy(() => onceOnline(() => import('#features/account/notifications/MomentCard.tsx')))
const MemberRest = lazy(() => onceOnline(() => import('./MemberRest.tsx')))

/** A plan's page for a member: cost, access and owner. */
export default function MemberView({ plan, user, onChat }: PlanViewProps) {
  const navigate = useNavigate()
  const seat = useQuery(ownSeatsQuery(user.id)).data?.find(({ planId }) => planId === plan.id)
  const unsettled = useOwnOpen(plan.id, user.id).data
  // While the owner is suspended, nothing can be paid.
  const open = seat?.pausedUntil ? [] : unsettled
  const isWrong = useLocation().hash === REPORT_HASH
  const step = useMemberStep(plan, user.id)
  const toAnswer = step?.kind === 'terms'
  const { data: problems = [] } = useQuery(planProblemsQuery(plan.id, user.id))
  usePaymentsLive(user.id)
  useProblemsLive({ userId: user.id })
  useVaultLive(plan.id, user.id)
  const toAccess = seat && accessStep(seat)
  const isWaiting = toAccess === 'waiting'
  const toCheck = toAccess === 'check' && !seat?.problemId
  // After "It works" the card stays until the member leaves the page, so that nothing below it moves.
  const [wasAsked, setWasAsked] = useState(false)
  if (toCheck && !wasAsked) setWasAsked(true)
  // While the member waits for access, this card is above the access card. Later it asks whether access works, and is
  // below the access card, which the member has to use first. It then also has the link to report a problem, which is
  // otherwise at the end of the page.
  const access = seat && (isWaiting || toCheck || (toAccess === 'works' && wasAsked)) && (
    <NextStep on={step?.kind === 'confirm'}>
      <Suspense fallback={<RowsSkeleton rows={2} />}>
        <OwnAccessCard seat={seat} />
      </Suspense>
    </NextStep>
  )
  const terms = step && seat && (
    <NextStep on={toAnswer}>
      <Suspense>
        <TermsNotice plan={plan} seat={seat} />
      </Suspense>
    </NextStep>
  )
  const leave = () => {
    forgetPlan(plan.id)
    void navigate({ to: '/my-subscriptions', search: { tab: 'subscribed' } })
  }
  return (
    <>
      <BackToList tab="subscribed" />
      <PageTitle quiet title={t`Your Subscribed Plan`} />
      <Suspense>
        <MomentCard userId={user.id} planId={plan.id} isDone={toAccess === 'works' && open.length === 0} />
        <PlanNotices plan={plan} userId={user.id} />
      </Suspense>
      <NextStep on={step?.kind === 'pay' && step.payment.settlement === 'potluck'}>
        <SubscribedPlanCard
          plan={seat ? termsOf(plan, seat) : plan}
          payment={<PlaceLine userId={user.id} planId={plan.id} pay="by-card" />}
        />
      </NextStep>
      <div className={classes.columns}>
        <Stack gap="md">
          {open
            .filter(({ settlement }) => settlement === 'direct')
            .map((payment) => (
              <NextStep key={payment.id} on={step?.kind === 'pay' && step.payment.id === payment.id}>
                <Suspense fallback={<RowsSkeleton rows={2} />}>
                  <PayOwnerCard payment={payment} />
                </Suspense>
              </NextStep>
            ))}
          {plan.isPrivate && plan.settlement === 'direct' && (
            <NextStep on={false}>
              <Suspense>
                <PlanOfferCard planId={plan.id} />
              </Suspense>
            </NextStep>
          )}
          {toAnswer && terms}
          {isWaiting && access}
          <NextStep on={step?.kind === 'open'}>
            <Access
              planId={plan.id}
              isOwner={false}
              provider={plan.provider}
              closed={seat?.status === 'paying' || seat?.status === 'late'}
              invited={seat?.accessGivenAt ? seat.invitedAddress : null}
            />
          </NextStep>
          {!isWaiting && access}
          {problems.filter(isOpen).map((problem) => (
            <NextStep key={problem.id} on={step?.kind === 'problem' && step.problem.id === problem.id}>
              <Suspense fallback={<RowsSkeleton rows={2} />}>
                <ProblemNotice problem={problem} userId={user.id} />
              </Suspense>
            </NextStep>
          ))}
          {!toAnswer && terms}
          {seat && <OwnSeatCard seat={seat} userId={user.id} owes={open.length > 0} />}
        </Stack>
        <Stack gap="md">
          <Sections>
            <PlanOwnerCard plan={plan} userId={user.id} onChat={onChat} />
            <Suspense>
              <MemberRest plan={plan} user={user} hasPlanTerms={!seat || sameTerms(seat, plan)} />
            </Suspense>
          </Sections>
          <Group justify="space-between">
            {seat && (!access || isWaiting) && <ReportLink seat={seat} />}
            {seat && seat.status !== 'paying' && (
              <LinkButton
                {...{ variant: 'transparent', color: 'gray', size: 'sm', px: 0 }}
                to="/manage-subscribed/$planId/proof"
                params={{ planId: plan.id }}
              >
                {t`Proof of a place`}
              </LinkButton>
            )}
            <LeaveButton
              planId={plan.id}
              planName={`${plan.provider} ${planName(plan.name)}`}
              ownerName={plan.ownerName}
              userId={user.id}
              seat={seat}
              until={seat ? periodEnd(seat, open, Date.now()) : null}
              onLeft={leave}
            />
          </Group>
        </Stack>
      </div>
      {seat && (
        <LazyDialog opened={isWrong && !seat.problemId}>
          {(opened) => (
            <ReportDialog
              seat={seat}
              opened={opened}
              onClose={() => void navigate({ to: '.', hash: '', replace: true, resetScroll: false })}
              onReported={(problemId) =>
                void navigate({ to: '/problems/$problemId', params: { problemId }, replace: true })
              }
            />
          )}
        </LazyDialog>
      )}
    </>
  )
}

const AccessCard = lazy(() => onceOnline(() => import('#features/trust/access/AccessCard.tsx')))

/** The card with a plan's access data; loads after the rest of the page. */
function Access(props: AccessCardProps) {
  return (
    <Suspense
      fallback={
        <Card>
          <RowsSkeleton rows={2} />
        </Card>
      }
    >
      <AccessCard {...props} />
    </Suspense>
  )
}

/** A member's open payments for one plan. */
function useOwnOpen(planId: string, userId: string) {
  const { data = [], isFetched } = useQuery(ownOpenPaymentsQuery(userId))
  return { data: data.filter((payment) => payment.planId === planId), isFetched }
}

/** The one thing a member should do next: null for nothing, undefined until enough has loaded. */
function useMemberStep(plan: Plan, userId: string): MemberStep | null | undefined {
  const { id } = plan
  const seats = useQuery(ownSeatsQuery(userId))
  const open = useOwnOpen(id, userId)
  const entry = useQuery(vaultEntryQuery(id))
  const problems = useQuery(planProblemsQuery(id, userId))
  const proposals = useQuery(proposalsQuery(id))
  // A failed load shows its own error and counts as empty here.
  if (![seats, open, entry, problems, proposals].every(({ isFetched }) => isFetched)) return undefined
  const seat = seats.data?.find(({ planId }) => planId === id)
  return memberStep({
    seat,
    open: open.data,
    entry: entry.data ?? null,
    problems: problems.data ?? [],
    isAsked: openProposal(proposals.data, plan, seat) !== undefined,
  })
}
