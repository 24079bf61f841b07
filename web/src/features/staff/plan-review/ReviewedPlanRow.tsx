import { Badge, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { categoryLabel, perCycle, toCategory } from '#domain/catalogue.ts'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, queueRow } from '#ui/Queue.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { StackCell, StackRow } from '#ui/StackTable.tsx'
import { decisionWords } from './plan-review.messages.ts'
import type { ReviewedPlan } from './plan-review.queries.ts'
import { type Decision, decisionsOn, type ReviewState } from './review.ts'

const STATES: Record<ReviewState, { label: string; color: string }> = {
  active: { label: 'Active', color: 'herb' },
  pending: { label: 'Pending', color: 'honey' },
  rejected: { label: 'Rejected', color: 'beet' },
}

const LOOKS = {
  approve: { variant: 'filled', color: 'herb' },
  reject: { variant: 'light', color: 'beet' },
  restore: { variant: 'light', color: 'herb' },
} as const

const KEYS: Record<Decision, string> = { approve: 'a', reject: 'r', restore: 's' }
export const REVIEW_KEYS = (['approve', 'reject', 'restore'] as const).map((decision) => ({
  key: KEYS[decision],
  does: decisionWords[decision].action,
}))

export const REVIEW_COLUMNS = [
  { label: 'Plan' },
  { label: 'Price', number: true },
  { label: 'Created by' },
  { label: 'Created' },
  { label: 'Members', number: true },
  { label: 'Status' },
  { label: 'Actions' },
]

interface ReviewedPlanRowProps {
  plan: ReviewedPlan
  logo: ReactNode
  /** Nobody reviews their own plan. */
  own: boolean
  onDecide: (decision: Decision) => void
}

/** One plan with what staff needs to decide about it. */
export function ReviewedPlanRow({ plan, logo, own, onDecide }: ReviewedPlanRowProps) {
  const state = STATES[plan.status]
  const name = `${plan.provider} ${plan.name}`
  return (
    <StackRow label={name} {...queueRow}>
      <StackCell>
        <Group gap="sm" wrap="nowrap" ta="start">
          {logo}
          <div>
            <Text fw={600}>{name}</Text>
            <Text size="sm" c="dimmed">
              {categoryLabel(toCategory(plan.category))}
            </Text>
          </div>
        </Group>
      </StackCell>
      <StackCell label="Price" number>
        <div>
          <Money amount={plan.price} currency="EUR" />{' '}
          <Text span size="sm" c="dimmed">
            {perCycle(plan.cycle)}
          </Text>
        </div>
      </StackCell>
      <StackCell label="Created by">
        <PersonLink staff userId={plan.ownerId} name={plan.createdBy} pressed={pressedBy('o')} />
      </StackCell>
      <StackCell label="Created">
        <RelativeDate date={plan.createdAt} size="sm" />
      </StackCell>
      <StackCell label="Members" number>
        {plan.membersCount}
      </StackCell>
      <StackCell label="Status">
        <Badge variant="light" color={state.color} tt="none">
          {state.label}
        </Badge>
      </StackCell>
      <StackCell>
        <Decisions name={name} decisions={decisionsOn(plan.status)} own={own} onDecide={onDecide} />
      </StackCell>
    </StackRow>
  )
}

function Decisions({
  name,
  decisions,
  own,
  onDecide,
}: Pick<ReviewedPlanRowProps, 'own' | 'onDecide'> & { name: string; decisions: readonly Decision[] }) {
  if (decisions.length === 0) return null
  if (own)
    return (
      <Text size="sm" c="dimmed">
        This is your own plan, so someone else reviews it.
      </Text>
    )
  return (
    <Group gap="xs">
      {decisions.map((decision) => (
        <Button
          key={decision}
          size="sm"
          px="sm"
          {...LOOKS[decision]}
          aria-label={`${decisionWords[decision].action} ${name}`}
          {...pressedBy(KEYS[decision])}
          onClick={() => onDecide(decision)}
        >
          {decisionWords[decision].action}
        </Button>
      ))}
    </Group>
  )
}
