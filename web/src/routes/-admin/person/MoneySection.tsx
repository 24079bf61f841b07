import { Anchor, SimpleGrid, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { fullDay } from '#domain/dates.ts'
import { nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import { StandingBadge } from '#features/money/payments/StandingBadge.tsx'
import { FigureCard } from '#ui/FigureCard.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { Section } from './Section.tsx'
import type { StaffPerson } from './staff-person.query.ts'

type Held = NonNullable<StaffPerson['money']>

const MOVED = [
  { label: 'Kind' },
  { label: 'Transfers', number: true },
  { label: 'Amount', number: true },
  { label: 'Latest' },
]
const PLACES = [
  { label: 'Plan' },
  { label: 'Shared by' },
  { label: 'Due' },
  { label: 'Amount', number: true },
  { label: 'State' },
]

/** Their wallet, what moved, and what they pay for; each figure leads to its list. */
export function MoneySection({ personId, money }: { personId: string; money: Held }) {
  const { balance, moved, withdrawals, disputes, places } = money
  return (
    <Section
      title="Money"
      action={
        <Anchor renderRoot={(root) => <Link {...root} to="/admin/transfers" search={{ person: personId }} />}>
          All transfers
        </Anchor>
      }
    >
      <Stack gap="lg">
        <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 3 }}>
          <FigureCard label="Wallet" figure={<Money amount={balance} />} />
          <FigureCard
            label="Withdrawals"
            figure={
              <Anchor
                inherit
                aria-label={`Withdrawals: ${withdrawals.all}`}
                renderRoot={(root) => (
                  <Link {...root} to="/admin/withdrawals" search={{ person: personId }} />
                )}
              >
                {withdrawals.all}
              </Anchor>
            }
          >
            {withdrawals.waiting > 0 ? `${withdrawals.waiting} to pay out` : 'None waits'}
          </FigureCard>
          <FigureCard
            label="Disputes"
            figure={
              <Anchor
                inherit
                aria-label={`Disputes: ${disputes.all}`}
                renderRoot={(root) => <Link {...root} to="/admin/disputes" search={{ person: personId }} />}
              >
                {disputes.all}
              </Anchor>
            }
          >
            {disputes.open > 0 ? `${disputes.open} open` : 'None open'}
          </FigureCard>
        </SimpleGrid>
        {moved.length > 0 && (
          <Table label="What moved" columns={MOVED}>
            {moved.map(({ kind, transfers, amount, last }) => (
              <StackRow key={kind}>
                <StackCell label="Kind">
                  <Anchor
                    renderRoot={(root) => (
                      <Link {...root} to="/admin/transfers" search={{ person: personId, kind }} />
                    )}
                  >
                    {nameOf(TRANSFER_KINDS, kind)}
                  </Anchor>
                </StackCell>
                <StackCell label="Transfers" number>
                  {transfers}
                </StackCell>
                <StackCell label="Amount" number>
                  <Money amount={amount} />
                </StackCell>
                <StackCell label="Latest">{fullDay(last)}</StackCell>
              </StackRow>
            ))}
          </Table>
        )}
        {places.length > 0 && (
          <Table label="Places they pay for" columns={PLACES}>
            {places.map((place) => (
              <StackRow key={place.seatId} label={place.planName}>
                <StackCell label="Plan">{place.planName}</StackCell>
                <StackCell label="Shared by">
                  <PersonLink staff userId={place.ownerId} name={place.ownerName} />
                </StackCell>
                <StackCell label="Due">{fullDay(place.dueAt)}</StackCell>
                <StackCell label="Amount" number>
                  <Money amount={place.amount} />
                </StackCell>
                <StackCell label="State">
                  <StandingBadge payment={place} />
                </StackCell>
              </StackRow>
            ))}
          </Table>
        )}
      </Stack>
    </Section>
  )
}

interface TableProps {
  label: string
  columns: readonly { label: string; number?: boolean }[]
  children: ReactNode
}

function Table({ label, columns, children }: TableProps) {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {label}
      </Title>
      <StackTable label={label} columns={columns}>
        {children}
      </StackTable>
    </div>
  )
}
