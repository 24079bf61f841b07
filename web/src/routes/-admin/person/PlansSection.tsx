import { Anchor, Badge, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fullDay } from '#domain/dates.ts'
import { Money } from '#ui/Money.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { Section } from './Section.tsx'
import type { StaffPerson } from './staff-person.query.ts'

const COLUMNS = [
  { label: 'Plan' },
  { label: 'Shared' },
  { label: 'Members', number: true },
  { label: 'A place', number: true },
  { label: 'Paid' },
]
const STATES = {
  active: { label: 'Active', color: 'herb' },
  pending: { label: 'Pending', color: 'honey' },
  rejected: { label: 'Rejected', color: 'beet' },
} as const

/** What they share. */
export function PlansSection({
  personId,
  plans,
}: {
  personId: string
  plans: NonNullable<StaffPerson['plans']>
}) {
  return (
    <Section
      title="Plans they share"
      action={
        <Anchor
          renderRoot={(root) => <Link {...root} to="/admin/subscriptions" search={{ person: personId }} />}
        >
          Review
        </Anchor>
      }
      none={plans.length === 0 && 'They share none.'}
    >
      <StackTable label="Plans they share" columns={COLUMNS}>
        {plans.map(({ id, name, status, isPrivate, createdAt, members, places, monthlyCost, settlement }) => (
          <StackRow key={id} label={name}>
            <StackCell label="Plan">
              <Group gap="xs" component="span">
                <Text component="bdi" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
                <Badge variant="light" color={STATES[status].color} tt="none">
                  {STATES[status].label}
                </Badge>
                {isPrivate && (
                  <Badge variant="default" tt="none">
                    By link only
                  </Badge>
                )}
              </Group>
            </StackCell>
            <StackCell label="Shared">{fullDay(createdAt)}</StackCell>
            <StackCell label="Members" number>
              {members} of {places}
            </StackCell>
            <StackCell label="A place" number>
              <Money amount={monthlyCost} per="/ month" />
            </StackCell>
            <StackCell label="Paid">{settlement === 'potluck' ? 'Through Potluck' : 'Directly'}</StackCell>
          </StackRow>
        ))}
      </StackTable>
    </Section>
  )
}
