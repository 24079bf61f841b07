import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Stack, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { fullDate, fullDay, timeOfDay } from '#domain/dates.ts'
import { ACCOUNT_KINDS, nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FilterButton } from '#ui/FilterButton.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useSorting } from '#ui/sorting.tsx'
import type { Transfer, TransferFilter } from './transfers.queries.ts'

const FAILED = t`Failed to load the transfers`

interface TransferListProps {
  transfers: UseInfiniteQueryResult<Transfer[]>
  onChoose: (filter: TransferFilter) => void
}

/**
 * Transfers with their cause. A person's name links to the person's page; a plan's name filters the list by that plan.
 */
export function TransferList({ transfers, onChoose }: TransferListProps) {
  const columns: Column<Transfer>[] = [
    {
      label: t`Time`,
      sort: 'created_at',
      as: 'detail',
      brief: ({ createdAt }) => fullDay(createdAt),
      cell: ({ createdAt }) => fullDate(createdAt),
      belowHeading: ({ createdAt }) => timeOfDay(createdAt),
    },
    {
      label: t`Kind`,
      sort: 'kind',
      as: 'title',
      brief: ({ kind }) => nameOf(TRANSFER_KINDS, kind),
      cell: ({ kind }) => (
        <Badge variant="light" tt="none">
          {nameOf(TRANSFER_KINDS, kind)}
        </Badge>
      ),
    },
    {
      label: t`Amount`,
      sort: 'amount',
      as: 'amount',
      number: true,
      cell: ({ amount }) => <Money amount={amount} />,
    },
    {
      label: t`Between`,
      sort: 'from_kind',
      cell: ({ fromKind, toKind }) => `${nameOf(ACCOUNT_KINDS, fromKind)} → ${nameOf(ACCOUNT_KINDS, toKind)}`,
    },
    {
      label: t`Person`,
      sort: 'person_name',
      as: 'detail',
      brief: ({ personName }) => personName,
      cell: ({ personId, personName }) =>
        personId && <PersonLink staff userId={personId} name={personName ?? t`Unknown`} />,
    },
    {
      label: t`For`,
      sort: 'plan_name',
      as: 'detail',
      brief: ({ planName }) => planName,
      cell: (transfer) => <Cause {...transfer} onChoose={onChoose} />,
    },
  ]
  const { by = 'created_at' } = useSorting('sort') ?? {}
  return (
    <Loaded
      of={transfers}
      pending={<RowsSkeleton rows={8} />}
      failed={FAILED}
      empty={
        <EmptyState order={2} title={t`No transfers found`}>
          {t`Try a longer time or fewer filters.`}
        </EmptyState>
      }
    >
      {(rows) => (
        <Stack gap="lg" aria-busy={transfers.isPlaceholderData}>
          <DataTable
            sorts="sort"
            label={t`Transfers`}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            heading={by === 'created_at' ? ({ createdAt }) => fullDay(createdAt) : undefined}
          />
          <KeptRows list={transfers} failed={FAILED}>
            {t`Load more transfers`}
          </KeptRows>
        </Stack>
      )}
    </Loaded>
  )
}

type CauseProps = Transfer & Pick<TransferListProps, 'onChoose'>

function Cause({ subscriptionId: plan, planName, description, movedBy, onChoose }: CauseProps) {
  // Most descriptions begin with the plan's name, which is already shown above.
  const rest =
    planName && description.startsWith(planName)
      ? description.slice(planName.length).replace(/^: /, '')
      : description
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {plan && <FilterButton name={planName ?? plan} onChoose={() => onChoose({ plan })} />}
      {rest && (
        <Text size="sm" dir="auto">
          {rest}
        </Text>
      )}
      {movedBy !== null && (
        <Text size="sm" c="dimmed">
          <Trans>
            by <bdi>{movedBy}</bdi>
          </Trans>
        </Text>
      )}
    </div>
  )
}
