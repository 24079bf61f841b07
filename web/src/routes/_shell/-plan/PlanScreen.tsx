import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMatch, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ChatPartner } from '#features/people/chat/chat.queries.ts'
import { PersonChat } from '#features/people/chat/PersonChat.tsx'
import { forgetPlan, rememberPlan } from '#features/plans/shared-plans/plan-memory.ts'
import { usePlanLive } from '#features/plans/shared-plans/plans.live.ts'
import { planLoadText, planTexts, planToasts } from '#features/plans/shared-plans/plans.messages.ts'
import { planPageQuery } from '#features/plans/shared-plans/plans.queries.ts'
import { isSchemaProblem, PLAN_NOT_FOUND, toAppError } from '#lib/errors.ts'
import { lazyPart, onceOnline } from '#lib/online.ts'
import { type User, useSession } from '#lib/session.ts'
import { BackLink } from '#ui/links.tsx'
import {
  LoginNotice,
  PlanEnded,
  PlanError,
  PlanLoading,
  PlanTrouble,
  type PlanViewProps,
} from './PlanStates.tsx'

// Lazy, so that people load only the view they see.
const OwnerView = lazy(() => onceOnline(() => import('./OwnerView.tsx')))
const OfferScreen = lazyPart(async () => (await import('../-offer/OfferScreen.tsx')).OfferScreen)
const MemberView = lazy(() => onceOnline(() => import('./MemberView.tsx')))
const PrecedenceNotice = lazyPart(
  async () => (await import('#features/joining/waiting-list/PrecedenceNotice.tsx')).PrecedenceNotice,
)

/** A plan's page, shown as to its owner, a member or a stranger depending on the reader's relation, not on the URL. */
export function PlanScreen() {
  // Three routes share this component, so React does not remount it when the route changes; the match's id as key does
  // that for the notice.
  const { id } = useMatch({ strict: false })
  const { planId = '' } = useParams({ strict: false })
  const session = useSession()
  if (planId.trim() === '') return <PlanError message={planTexts.idNeeded} />
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      {session.status === 'loading' && <PlanLoading planId={planId} />}
      {session.status === 'signed-out' && <LoginNotice key={id} />}
      {session.status === 'signed-in' && <SignedIn planId={planId} user={session.user} />}
    </Container>
  )
}

/**
 * A plan's page for a signed-in person. The chat is outside the page, so that the chat stays open if the plan, or the
 * row that opened the chat, is gone.
 */
function SignedIn({ planId, user }: { planId: string; user: User }) {
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  return (
    <>
      <PlanPage planId={planId} user={user} onChat={setPartner} />
      <PersonChat partner={partner} userId={user.id} onClose={() => setPartner(null)} />
    </>
  )
}

function PlanPage({ planId, user, onChat }: { planId: string } & Omit<PlanViewProps, 'plan'>) {
  const { data: page, error, refetch } = useQuery(planPageQuery(planId, user.id))
  usePlanLive(planId, user.id)
  const shown = page !== undefined
  const gone = error !== null && toAppError(error).code === PLAN_NOT_FOUND
  const tell = useEffectEvent(() => {
    if (!shown) planToasts.loadFailed(error)
    else if (!gone) planToasts.reloadFailed(error)
  })
  const failure = error && `${toAppError(error).code} ${error.message}`
  const told = useRef<string>(null)
  useEffect(() => {
    // A repeated failure is shown again only if a load has worked in between.
    if (failure && failure !== told.current) tell()
    if (failure || shown) told.current = failure
  }, [failure, shown])
  useEffect(() => {
    if (gone) forgetPlan(planId)
    else if (page && page.relation !== 'none') rememberPlan(page.plan, page.relation === 'owner')
  }, [gone, page, planId])

  if (!page && !error) return <PlanLoading planId={planId} />
  const lost = gone && (
    <Container size="xs" px={0}>
      <Suspense>
        <PrecedenceNotice planId={planId} userId={user.id} />
      </Suspense>
    </Container>
  )
  if (!page)
    return (
      <>
        <PlanError message={planLoadText(error)} onRetry={() => void refetch()} />
        {lost}
      </>
    )
  const { plan, relation } = page
  if (gone)
    return (
      <>
        <PlanEnded plan={plan} relation={relation} />
        {lost}
      </>
    )
  const trouble = error && !isSchemaProblem(error) && <PlanTrouble onRetry={() => void refetch()} />
  // Staff may read plans in review, but not on this page.
  if (relation === 'none' && plan.status !== 'active') return <PlanError message={planTexts.noAccess} />
  return (
    <Suspense fallback={<PlanLoading planId={planId} />}>
      {trouble}
      {relation === 'owner' && <OwnerView key={plan.id} plan={plan} user={user} onChat={onChat} />}
      {relation === 'member' && <MemberView key={plan.id} plan={plan} user={user} onChat={onChat} />}
      {relation === 'none' && (
        <>
          <BackLink to="/available-subscriptions">{t`Browse Plans`}</BackLink>
          <OfferScreen planId={planId} />
        </>
      )}
    </Suspense>
  )
}
