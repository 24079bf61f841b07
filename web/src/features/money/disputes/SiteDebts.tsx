import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { fullDate, fullDay } from '#domain/dates.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { type SiteDebt, siteDebtsQuery } from './disputes.queries.ts'

/**
 * Lists what members owe the site because their bank reversed a direct debit that the site had already refunded, so
 * they got the money back twice.
 */
export function SiteDebts() {
  const debts = useQuery(siteDebtsQuery)
  return (
    <Loaded of={debts} pending={<RowsSkeleton rows={2} />} failed={t`Failed to load the debts`}>
      {(rows) => (
        <DataTable
          label={t`Debts to the site`}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowProps={({ planName, memberName }) => ({ 'aria-label': `${planName}, ${memberName}` })}
        />
      )}
    </Loaded>
  )
}

const columns: Column<SiteDebt>[] = [
  {
    label: t`Payment`,
    as: 'title',
    mark: ({ planName }) => <ProviderLogo provider={planName} size="line" />,
    brief: ({ planName }) => planName,
    cell: ({ planName, memberId, memberName }) => (
      <>
        {planName}, <PersonLink staff userId={memberId} name={memberName} />
      </>
    ),
  },
  {
    label: t`Since`,
    as: 'detail',
    brief: ({ openedAt, memberName }) => `${memberName} · ${fullDay(openedAt)}`,
    cell: ({ openedAt }) => fullDate(openedAt),
  },
  { label: t`Owed`, number: true, cell: ({ amount }) => <Money amount={amount} /> },
  {
    label: t`Still open`,
    as: 'amount',
    number: true,
    cell: ({ open }) => <Money amount={open} fw={600} />,
  },
]
