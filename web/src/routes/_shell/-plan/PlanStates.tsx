import { t } from '@lingui/core/macro'
import { Alert, Button, Card, Group, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { SignInLinks } from '#features/account/auth/SignInLinks.tsx'
import type { ChatPartner } from '#features/people/chat/chat.queries.ts'
import { recallPlan } from '#features/plans/shared-plans/plan-memory.ts'
import { planTexts } from '#features/plans/shared-plans/plans.messages.ts'
import type { PlanPage } from '#features/plans/shared-plans/plans.queries.ts'
import type { User } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { BackLink, LinkButton } from '#ui/links.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import classes from './PlanViews.module.css'

export interface PlanViewProps {
  plan: Plan
  user: User
  onChat: (partner: ChatPartner) => void
}

/** A link back to the list of plans, with the plan's tab if known. */
export const BackToList = ({ tab }: { tab?: 'shared' | 'subscribed' | undefined }) => (
  <BackLink to="/my-subscriptions" search={tab ? { tab } : {}}>
    {t`Back to My Subscriptions`}
  </BackLink>
)

/** A placeholder while the plan loads, headed by its name if this browser has seen it before. */
export function PlanLoading({ planId }: { planId: string }) {
  const known = recallPlan(planId)
  const { pathname } = useLocation()
  const address = /^\/manage-(shared|subscribed)\//.exec(pathname)?.[1] as 'shared' | 'subscribed' | undefined
  return (
    <>
      <BackToList tab={known ? (known.shared ? 'shared' : 'subscribed') : address} />
      <VisuallyHidden role="status">{t`Loading`}</VisuallyHidden>
      <Skeleton height={20} width={200} mb="xs" />
      <Card aria-busy="true">
        <Group wrap="nowrap">
          <Skeleton height={48} width={48} />
          {known ? (
            <Text ff="heading" fw={700} fz="h2" lh={1.2}>
              {known.provider} {planName(known.name)}
            </Text>
          ) : (
            <Skeleton height={28} width="min(320px, 60%)" />
          )}
        </Group>
        <Skeleton height={44} mt="lg" />
      </Card>
      <div className={classes.columns} aria-hidden>
        <Card>
          <RowsSkeleton rows={3} />
        </Card>
        <Card>
          <RowsSkeleton rows={2} />
        </Card>
      </div>
    </>
  )
}

/** An error page for a plan, with a link back and, if it may help, a retry. */
export function PlanError({ message, onRetry }: { message: string; onRetry?: () => void }) {
  return (
    <EmptyState
      order={1}
      title={planTexts.errorTitle}
      action={
        <Group justify="center" gap="sm">
          {onRetry && (
            <Button variant="default" onClick={onRetry}>
              {t`Retry`}
            </Button>
          )}
          <LinkButton to="/my-subscriptions">{t`Go to My Subscriptions`}</LinkButton>
        </Group>
      }
    >
      {message || planTexts.notFound}
    </EmptyState>
  )
}

/** Replaces a plan on screen once its owner has ended it, or has hidden it from people who are not members. */
export function PlanEnded({ plan: { provider, name }, relation }: PlanPage) {
  return (
    <EmptyState
      order={1}
      title={
        relation === 'none'
          ? t`${provider} ${{ name: planName(name) }} is no longer available`
          : t`${provider} ${{ name: planName(name) }} is no longer shared`
      }
      action={<LinkButton to="/my-subscriptions">{t`Go to My Subscriptions`}</LinkButton>}
    >
      {relation === 'none' ? planTexts.outOfSight : planTexts.ended}
    </EmptyState>
  )
}

/** An alert that the plan on screen may be out of date. */
export function PlanTrouble({ onRetry }: { onRetry: () => void }) {
  return (
    <Alert
      color="beet"
      role="alert"
      mb="md"
      title={planTexts.errorTitle}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <Text size="sm" mb="sm">
        {planTexts.someDetailsMissing}
      </Text>
      <Group gap="sm">
        <Button size="sm" variant="default" onClick={onRetry}>
          {t`Retry`}
        </Button>
        <LinkButton size="sm" variant="subtle" to="/my-subscriptions">
          {t`Back`}
        </LinkButton>
      </Group>
    </Alert>
  )
}

export function LoginNotice() {
  // The URL when this screen was mounted: while the screen is being left, the location is already that of the next
  // page.
  const { href } = useLocation()
  const [here] = useState(href)
  return (
    <EmptyState order={1} title={planTexts.loginNeeded} action={<SignInLinks here={here} />}>
      {t`Sign in or sign up. We’ll bring you right back here.`}
    </EmptyState>
  )
}
