import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { IconCalendar, IconChevronRight, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { slashCycle } from '#domain/catalogue.ts'
import { memberPays } from '#domain/fees.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { capacityPercent, describeOpenPlaces } from '#domain/slots.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { cappedCount } from '#ui/CountBadge.tsx'
import { InstantBadge } from '#ui/InstantBadge.tsx'
import { Money } from '#ui/Money.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import classes from './PlanCard.module.css'
import { rememberPlan } from './plan-memory.ts'
import { ReviewBadge } from './ReviewBadge.tsx'

interface PlanCardProps {
  plan: Plan
  /** The list that the card is in, which decides where the card links to. */
  side: 'shared' | 'subscribed'
  look?: 'default' | 'glass' | 'gradient' | 'provider'
  /** Join requests waiting for an answer. */
  pending?: number
  /** Unread conversations about the plan. */
  unread?: number
  /** The payment state of the member's place, in one line. */
  payment?: ReactNode
  /** A badge with the state of the place, or the owner’s next task. */
  badge?: ReactNode
  /** The member's action on their place. */
  action?: ReactNode
  /** The level of the card's heading. */
  order?: 2 | 3
}

/** A plan's card in My Subscriptions, with the member's cost. */
export const PlanCard = memo(function PlanCard({
  plan,
  side,
  look = 'provider',
  pending = 0,
  unread = 0,
  payment,
  badge,
  action,
  order = 3,
}: PlanCardProps) {
  const shared = side === 'shared'
  // A member has terms of their own.
  const isEqual = !shared || plan.shareRule === 'equal'
  return (
    <ProviderCard
      component="article"
      aria-label={`${plan.provider} ${planName(plan.name)}`}
      provider={plan.provider}
      look={look}
      lifts
    >
      <Group wrap="nowrap" gap="sm" align={shared ? 'center' : 'flex-start'}>
        <ProviderLogo provider={plan.provider} />
        <Stack gap={0} flex={1} miw={0}>
          <Title order={order} size="h4" lineClamp={2}>
            <Link
              className={classes.link}
              to={shared ? '/manage-shared/$planId' : '/manage-subscribed/$planId'}
              params={{ planId: plan.id }}
              onClick={() => rememberPlan(plan, shared)}
            >
              {plan.provider} {planName(plan.name)}
            </Link>
          </Title>
          {shared && <ReviewBadge status={plan.status} />}
          {shared && <InstantBadge from={plan.instantFrom} />}
          {!shared && (
            <Text size="sm" c="dimmed" truncate>
              {t`Shared by ${plan.ownerName}`}
            </Text>
          )}
        </Stack>
        <IconChevronRight size={20} className={classes.arrow} aria-hidden />
      </Group>
      <Group justify="space-between" align="flex-end" mt="lg" gap="sm">
        <Stack gap={0}>
          <Text size="sm" c="dimmed">
            {!isEqual ? t`The whole plan` : shared ? t`Each member pays` : t`You pay`}
          </Text>
          <Money
            amount={isEqual ? memberPays(plan) : plan.totalPrice}
            currency={plan.currency}
            per={slashCycle(plan.cycle)}
            fz={26}
            fw={700}
            lh={1.2}
          />
        </Stack>
        <Group gap={6} c="dimmed" wrap="nowrap">
          <IconUsers size={18} aria-hidden />
          <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {describeOpenPlaces(plan)}
          </Text>
        </Group>
      </Group>
      <Progress
        value={capacityPercent(plan)}
        // No warning colours here: a full plan is good news for its owner.
        color="herb"
        size="sm"
        mt="sm"
        aria-label={t`Places taken`}
      />
      <Group justify="space-between" mt="sm" gap="xs" mih={26}>
        {payment ? (
          <Group w="100%" justify="space-between" gap="xs" fw={600} className={classes.date}>
            {payment}
          </Group>
        ) : (
          <Group gap={6} c="dimmed" wrap="nowrap">
            <IconCalendar size={18} aria-hidden />
            <Text size="sm" className={classes.date}>
              {plan.nextPayment ? (
                <Trans>
                  {plan.provider} renews <RelativeDate date={plan.nextPayment} />
                </Trans>
              ) : (
                t`Not scheduled`
              )}
            </Text>
          </Group>
        )}
        <Group gap={6}>
          {badge}
          {unread > 0 && <Waiting>{t`${cappedCount(unread)} unread`}</Waiting>}
          {pending > 0 && (
            <Waiting>
              {plural(pending, { one: '# request', other: `${cappedCount(pending)} requests` })}
            </Waiting>
          )}
        </Group>
      </Group>
      {action && <div className={classes.action}>{action}</div>}
    </ProviderCard>
  )
})

/** A badge for people who wait for the reader's answer. */
const Waiting = ({ children }: { children: string }) => (
  <Badge size="lg" variant="light" color="clay" tt="none">
    {children}
  </Badge>
)
