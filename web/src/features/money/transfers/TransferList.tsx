import { Badge, Stack, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { ACCOUNT_KINDS, nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FilterButton } from '#ui/FilterButton.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import type { Transfer, TransferWish } from './transfers.queries.ts'

const FAILED = 'Failed to load the transfers'
const COLUMNS = [
  { label: 'Time' },
  { label: 'Kind' },
  { label: 'Amount', number: true },
  { label: 'Between' },
  { label: 'Person' },
  { label: 'For' },
]

interface TransferListProps {
  transfers: UseInfiniteQueryResult<Transfer[]>
  onChoose: (wish: TransferWish) => void
}

/** Movements of money with their cause; a person or a plan leads to all of theirs. */
export function TransferList({ transfers, onChoose }: TransferListProps) {
  if (transfers.isPending) return <RowsSkeleton rows={8} />
  if (!transfers.data)
    return <LoadAlert title={FAILED} problem={transfers.error} onRetry={() => void transfers.refetch()} />
  if (transfers.data.length === 0)
    return (
      <EmptyState order={2} title="No transfers found">
        Try a longer time or fewer filters.
      </EmptyState>
    )
  return (
    <Stack gap="lg" aria-busy={transfers.isPlaceholderData}>
      <StackTable label="Transfers" columns={COLUMNS}>
        {transfers.data.map((transfer) => (
          <Row key={transfer.id} transfer={transfer} onChoose={onChoose} />
        ))}
      </StackTable>
      <KeptRows list={transfers} failed={FAILED}>
        Load more transfers
      </KeptRows>
    </Stack>
  )
}

function Row({ transfer, onChoose }: { transfer: Transfer; onChoose: TransferListProps['onChoose'] }) {
  const { personId, personName, planId, planName, description, movedBy } = transfer
  // Most name the plan, which stands there anyway.
  const rest =
    planName && description.startsWith(planName)
      ? description.slice(planName.length).replace(/^: /, '')
      : description
  return (
    <StackRow>
      <StackCell label="Time">{fullDate(transfer.createdAt)}</StackCell>
      <StackCell label="Kind">
        <Badge variant="light" tt="none">
          {nameOf(TRANSFER_KINDS, transfer.kind)}
        </Badge>
      </StackCell>
      <StackCell label="Amount" number>
        <Money amount={transfer.amount} />
      </StackCell>
      <StackCell label="Between">
        {nameOf(ACCOUNT_KINDS, transfer.fromKind)} → {nameOf(ACCOUNT_KINDS, transfer.toKind)}
      </StackCell>
      <StackCell label="Person">
        {personId && <PersonLink staff userId={personId} name={personName ?? 'Unknown'} />}
      </StackCell>
      <StackCell label="For">
        <div style={{ overflowWrap: 'anywhere' }}>
          {planId && <FilterButton name={planName ?? planId} onChoose={() => onChoose({ plan: planId })} />}
          {rest && (
            <Text size="sm" dir="auto">
              {rest}
            </Text>
          )}
          {movedBy !== null && (
            <Text size="sm" c="dimmed">
              by <bdi>{movedBy}</bdi>
            </Text>
          )}
        </div>
      </StackCell>
    </StackRow>
  )
}
