import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Group, Text } from '@mantine/core'
import { fullDay } from '#domain/dates.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { Section } from './Section.tsx'
import type { StaffPerson } from './staff-person.query.ts'

const STATES = {
  active: { label: t`Active`, color: 'herb' },
  pending: { label: t`Pending`, color: 'honey' },
  rejected: { label: t`Rejected`, color: 'beet' },
} as const

type Plans = NonNullable<StaffPerson['plans']>
const COLUMNS: Column<Plans[number]>[] = [
  {
    label: t`Plan`,
    as: 'title',
    mark: ({ name }) => <ProviderLogo provider={name} size="line" />,
    brief: ({ name }) => name,
    cell: ({ name }) => (
      <Text component="bdi" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  {
    label: t`State`,
    as: 'state',
    cell: ({ status, isPrivate }) => (
      <Group gap="xs" component="span">
        <Badge variant="light" color={STATES[status].color} tt="none">
          {STATES[status].label}
        </Badge>
        {isPrivate && (
          <Badge variant="default" tt="none">
            {t`By link only`}
          </Badge>
        )}
      </Group>
    ),
  },
  { label: t`Shared`, as: 'detail', cell: ({ createdAt }) => fullDay(createdAt) },
  {
    label: t`Members`,
    number: true,
    cell: ({ members, places }) => (
      <>
        <Trans>
          {members} of {places}
        </Trans>
      </>
    ),
  },
  {
    label: t`A place`,
    as: 'amount',
    brief: ({ monthlyCost, currency }) => <Money amount={monthlyCost} currency={currency} />,
    number: true,
    cell: ({ monthlyCost, currency }) => <Money amount={monthlyCost} currency={currency} per={t`/ month`} />,
  },
  {
    label: t`Paid`,
    cell: ({ settlement }) => (settlement === 'potluck' ? t`Through Potluck` : t`Directly`),
  },
]

/** The plans a person shares. */
export function PlansSection({ personId, plans }: { personId: string; plans: Plans }) {
  return (
    <Section
      title={t`Plans they share`}
      action={
        <LinkAnchor to="/admin/subscriptions" search={{ person: personId }}>
          {t({ message: 'Review', context: 'check, by staff' })}
        </LinkAnchor>
      }
      none={plans.length === 0 && t`They share no plans.`}
    >
      <DataTable
        label={t`Plans they share`}
        columns={COLUMNS}
        rows={plans}
        rowKey={({ id }) => id}
        rowProps={({ name }) => ({ 'aria-label': name })}
      />
    </Section>
  )
}
