import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { categoryLabel, perCycle, toCategory } from '#domain/catalogue.ts'
import { monthly, paysMonthly } from '#domain/fees.ts'
import { formatMoney } from '#domain/money.ts'
import { InstantBadge } from '#ui/InstantBadge.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { type Brand, SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './AvailablePlanCard.module.css'
import type { AvailablePlan } from './browse.queries.ts'
import { PlacesAtTable } from './PlacesAtTable.tsx'

interface AvailablePlanCardProps {
  plan: AvailablePlan
  brand: Brand
  /** The owner's standing. */
  level: ReactNode
  /** What the reader can do about it. */
  action: ReactNode
  /** The reader's place in line for it. */
  line?: ReactNode
  /** The level of its heading. */
  order?: 2 | 3 | undefined
}

/** A plan to join: what it costs a member, who shares it and how many places are left. */
export function AvailablePlanCard({ plan, brand, level, action, line, order = 3 }: AvailablePlanCardProps) {
  return (
    <SurfaceCard look="provider" brand={brand} h="100%">
      <Stack gap="md" h="100%">
        <Group wrap="nowrap" align="flex-start" gap="sm">
          {brand.logo}
          <div className={classes.names}>
            <Text size="sm" c="dimmed" lh={1.3}>
              {plan.provider}
            </Text>
            <Title order={order} size="h3">
              {plan.name}
            </Title>
            <InstantBadge from={plan.instantFrom} />
          </div>
        </Group>
        <div>
          <Group justify="space-between" gap="xs">
            <Money
              amount={paysMonthly(plan)}
              currency={plan.currency}
              per={perCycle('monthly')}
              fz={28}
              fw={700}
              lh={1.1}
            />
            <Badge variant="light" color="gray">
              {categoryLabel(toCategory(plan.category))}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {plan.settlement === 'potluck' ? 'Your share, fee included' : 'Your share, without a fee'};{' '}
            {formatMoney(monthly(plan.totalPrice, plan.cycle), plan.currency)} alone
          </Text>
        </div>
        <PlacesAtTable plan={plan} />
        {plan.nextPayment && (
          <Text size="sm" c="dimmed" className={classes.renewal}>
            <IconCalendar size={18} aria-hidden />
            <span>
              Renews <RelativeDate date={plan.nextPayment} />
            </span>
          </Text>
        )}
        <Group gap="xs" wrap="nowrap" mt="auto">
          <PersonAvatar name={plan.ownerName} src={plan.ownerAvatarUrl} size={32} />
          <Text size="sm" truncate className={classes.names}>
            <PersonLink userId={plan.ownerId} name={plan.ownerName} />
          </Text>
          {level}
        </Group>
        {action}
        {line}
      </Stack>
    </SurfaceCard>
  )
}
