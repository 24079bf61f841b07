import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { categoryLabel, perCycle, toCategory } from '#domain/catalogue.ts'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, queueRow } from '#ui/Queue.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { decisionWords } from './plan-review.messages.ts'
import type { ReviewedPlan } from './plan-review.queries.ts'
import classes from './ReviewedPlanCard.module.css'
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

interface ReviewedPlanCardProps {
  plan: ReviewedPlan
  logo: ReactNode
  /** Nobody reviews their own plan. */
  own: boolean
  onDecide: (decision: Decision) => void
}

/** One plan with what staff needs to decide about it. */
export function ReviewedPlanCard({ plan, logo, own, onDecide }: ReviewedPlanCardProps) {
  const name = useId()
  const state = STATES[plan.status]
  const decisions = decisionsOn(plan.status)
  return (
    <SurfaceCard component="article" aria-labelledby={name} padding="md" {...queueRow}>
      <Group wrap="nowrap" gap="sm" align="flex-start">
        {logo}
        <Title order={2} fz="h4" id={name} className={classes.name}>
          {plan.provider} {plan.name}
        </Title>
        <Badge variant="light" color={state.color} tt="none" style={{ flexShrink: 0 }}>
          {state.label}
        </Badge>
      </Group>
      <dl className={classes.facts}>
        <Fact label="Category">{categoryLabel(toCategory(plan.category))}</Fact>
        <Fact label="Price">
          <Money amount={plan.price} currency="EUR" per={perCycle(plan.cycle)} />
        </Fact>
        <Fact label="Created by">
          <PersonLink staff userId={plan.ownerId} name={plan.createdBy} pressed={pressedBy('o')} />
        </Fact>
        <Fact label="Created">
          <RelativeDate date={plan.createdAt} />
        </Fact>
        <Fact label="Members">{plan.membersCount}</Fact>
      </dl>
      {decisions.length > 0 &&
        (own ? (
          <Text size="sm" c="dimmed" mt="md">
            This is your own plan, so someone else reviews it.
          </Text>
        ) : (
          <Group gap="sm" mt="md" justify="flex-end">
            {decisions.map((decision) => (
              <Button
                key={decision}
                {...LOOKS[decision]}
                aria-describedby={name}
                {...pressedBy(KEYS[decision])}
                onClick={() => onDecide(decision)}
              >
                {decisionWords[decision].action}
              </Button>
            ))}
          </Group>
        ))}
    </SurfaceCard>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
