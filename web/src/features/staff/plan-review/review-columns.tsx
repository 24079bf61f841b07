import { t } from '@lingui/core/macro'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { categoryLabel, perCycle, toCategory } from '#domain/catalogue.ts'
import { planName } from '#domain/plan-name.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy } from '#ui/Queue.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { decisionWords } from './plan-review.messages.ts'
import type { Review } from './plan-review.mutations.ts'
import type { ReviewedPlan } from './plan-review.queries.ts'
import { type Decision, decisionsOn, type ReviewState } from './review.ts'

const STATES: Record<ReviewState, { label: string; color: string }> = {
  active: { label: t`Active`, color: 'herb' },
  pending: { label: t`Pending`, color: 'honey' },
  rejected: { label: t`Rejected`, color: 'beet' },
}

const LOOKS = {
  approve: { variant: 'filled', color: 'herb' },
  reject: { variant: 'light', color: 'beet' },
  hide: { variant: 'subtle', color: 'gray' },
  restore: { variant: 'light', color: 'herb' },
} as const

const KEYS: Record<Decision, string> = { approve: 'a', reject: 'r', hide: 'h', restore: 's' }
export const REVIEW_KEYS = (['approve', 'reject', 'hide', 'restore'] as const).map((decision) => ({
  key: KEYS[decision],
  does: decisionWords[decision].action,
}))

interface ReviewColumns {
  /** The reviewer, who may not decide on their own plans. */
  userId: string
  onDecide: (review: Review) => void
}

export const reviewColumns = ({ userId, onDecide }: ReviewColumns): Column<ReviewedPlan>[] => [
  {
    label: t`Plan`,
    sort: 'provider',
    as: 'title',
    mark: ({ provider }) => <ProviderLogo provider={provider} size="line" />,
    brief: ({ provider, name }) => `${provider} ${planName(name)}`,
    cell: ({ provider, name, category }) => (
      <div>
        <Text fw={600}>
          {provider} {planName(name)}
        </Text>
        <Text size="sm" c="dimmed">
          {categoryLabel(toCategory(category))}
        </Text>
      </div>
    ),
  },
  {
    label: t`Price`,
    sort: 'price',
    as: 'amount',
    number: true,
    brief: ({ price }) => <Money amount={price} currency="EUR" />,
    cell: ({ price, billingCycle }) => <Money amount={price} currency="EUR" per={perCycle(billingCycle)} />,
  },
  {
    label: t`Created by`,
    sort: 'created_by',
    as: 'detail',
    brief: ({ createdBy }) => createdBy,
    cell: ({ ownerId, createdBy }) => (
      <PersonLink staff userId={ownerId} name={createdBy} pressed={pressedBy('o')} />
    ),
  },
  {
    label: t`Created`,
    sort: 'created_at',
    as: 'detail',
    cell: ({ createdAt }) => <RelativeDate date={createdAt} size="sm" />,
  },
  { label: t`Members`, sort: 'members_count', number: true, cell: ({ membersCount }) => membersCount },
  {
    label: t`Status`,
    sort: 'status',
    as: 'state',
    brief: ({ status }) => <State status={status} />,
    cell: (plan) => (
      <Stack gap={4}>
        <State status={plan.status} />
        <Decisions
          plan={plan}
          own={plan.ownerId === userId}
          onDecide={(decision) => onDecide({ plan, decision })}
        />
      </Stack>
    ),
  },
]

const State = ({ status }: { status: ReviewState }) => (
  <Badge variant="light" color={STATES[status].color} tt="none">
    {STATES[status].label}
  </Badge>
)

interface DecisionsProps {
  plan: ReviewedPlan
  own: boolean
  onDecide: (decision: Decision) => void
}

function Decisions({ plan, own, onDecide }: DecisionsProps) {
  const decisions = decisionsOn(plan.status)
  if (decisions.length === 0) return null
  if (own)
    return (
      <Text size="sm" c="dimmed">
        {t`Someone else reviews your own plan.`}
      </Text>
    )
  return (
    <Group gap={6} wrap="nowrap">
      {decisions.map((decision) => (
        <Button
          key={decision}
          size="sm"
          px="sm"
          {...LOOKS[decision]}
          aria-label={`${decisionWords[decision].action} ${plan.provider} ${planName(plan.name)}`}
          {...pressedBy(KEYS[decision])}
          onClick={() => onDecide(decision)}
        >
          {decisionWords[decision].action}
        </Button>
      ))}
    </Group>
  )
}
