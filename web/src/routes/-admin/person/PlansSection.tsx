import { Badge, Group, Text } from '@mantine/core'
import { fullDay } from '#domain/dates.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { planLogo } from '../../_shell/-brand.tsx'
import { Section } from './Section.tsx'
import type { StaffPerson } from './staff-person.query.ts'

const STATES = {
  active: { label: 'Active', color: 'herb' },
  pending: { label: 'Pending', color: 'honey' },
  rejected: { label: 'Rejected', color: 'beet' },
} as const

type Plans = NonNullable<StaffPerson['plans']>
const COLUMNS: Column<Plans[number]>[] = [
  {
    label: 'Plan',
    as: 'title',
    mark: ({ name }) => planLogo(name),
    brief: ({ name }) => name,
    cell: ({ name }) => (
      <Text component="bdi" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  {
    label: 'State',
    as: 'state',
    cell: ({ status, isPrivate }) => (
      <Group gap="xs" component="span">
        <Badge variant="light" color={STATES[status].color} tt="none">
          {STATES[status].label}
        </Badge>
        {isPrivate && (
          <Badge variant="default" tt="none">
            By link only
          </Badge>
        )}
      </Group>
    ),
  },
  { label: 'Shared', as: 'detail', cell: ({ createdAt }) => fullDay(createdAt) },
  {
    label: 'Members',
    number: true,
    cell: ({ members, places }) => (
      <>
        {members} of {places}
      </>
    ),
  },
  {
    label: 'A place',
    as: 'amount',
    brief: ({ monthlyCost }) => <Money amount={monthlyCost} />,
    number: true,
    cell: ({ monthlyCost }) => <Money amount={monthlyCost} per="/ month" />,
  },
  {
    label: 'Paid',
    cell: ({ settlement }) => (settlement === 'potluck' ? 'Through Potluck' : 'Directly'),
  },
]

/** The plans they share. */
export function PlansSection({ personId, plans }: { personId: string; plans: Plans }) {
  return (
    <Section
      title="Plans they share"
      action={
        <LinkAnchor to="/admin/subscriptions" search={{ person: personId }}>
          Review
        </LinkAnchor>
      }
      none={plans.length === 0 && 'They share no plans.'}
    >
      <DataTable
        label="Plans they share"
        columns={COLUMNS}
        rows={plans}
        rowKey={({ id }) => id}
        rowProps={({ name }) => ({ 'aria-label': name })}
      />
    </Section>
  )
}
