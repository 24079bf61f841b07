import { t } from '@lingui/core/macro'
import { Button, Tooltip } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { planName } from '#domain/plan-name.ts'
import type { Offer } from '#features/plans/browse/market.queries.ts'
import { useMainButton } from '#ui/leads.ts'
import { LinkButton } from '#ui/links.tsx'
import { joinState, type PlanRelations } from './join-state.ts'

interface JoinButtonProps {
  plan: Offer
  /** Undefined while loading. */
  relations: PlanRelations | undefined
  onRequest: () => void
}

/** The button for a plan, depending on the person's relation to it: request, wait, open or manage. */
export function JoinButton({ plan, relations, onRequest }: JoinButtonProps) {
  const main = useMainButton()
  if (!relations) return <Button loading>{t`Request to join`}</Button>
  const params = { planId: plan.id }
  const title = t`${plan.provider} ${planName(plan.name)} of ${plan.ownerName}`
  switch (joinState(plan, relations)) {
    case 'owner':
      return (
        <LinkButton to="/manage-shared/$planId" params={params} variant="default">
          {relations.waiting[plan.id] ? t`View Requests` : t`Manage Subscription`}
        </LinkButton>
      )
    case 'member':
      return (
        <LinkButton to="/manage-subscribed/$planId" params={params} variant="default">
          {t`View your plan`}
        </LinkButton>
      )
    case 'requested':
      return (
        <Button disabled leftSection={<IconCheck size={18} aria-hidden />}>
          {t`Request sent`}
        </Button>
      )
    case 'full':
      return <Button disabled>{t`No spots available`}</Button>
    case 'closed':
      return <Button disabled>{t`Not available right now`}</Button>
    case 'signed-out':
      return (
        <Tooltip label={t`Sign in to request membership`} events={{ hover: true, focus: true, touch: true }}>
          <Button data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
            {t`Request to join`}
          </Button>
        </Tooltip>
      )
    case 'open':
      return (
        <Button variant={main} onClick={onRequest} aria-label={t`Request to join ${title}`}>
          {t`Request to join`}
        </Button>
      )
  }
}
