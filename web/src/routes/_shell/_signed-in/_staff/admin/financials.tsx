import { t } from '@lingui/core/macro'
import { Tabs } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import * as z from 'zod/mini'
import { Overview } from '#features/money/treasury/Overview.tsx'
import { TransactionList } from '#features/money/treasury/TransactionList.tsx'
import { TransactionStatistics } from '#features/money/treasury/TransactionStatistics.tsx'
import { useTreasuryLive } from '#features/money/treasury/treasury.live.ts'
import type { TransactionFilter } from '#features/money/treasury/treasury.queries.ts'
import { WalletList } from '#features/money/treasury/WalletList.tsx'
import { lazyPart } from '#lib/online.ts'
import { given, keptRows } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { sortParam } from '#lib/sorting.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SearchField } from '#ui/SearchField.tsx'

const TransactionFilters = lazyPart(
  async () => (await import('#features/money/treasury/TransactionFilters.tsx')).TransactionFilters,
)

const WALLETS = sortParam('name', 'coin_balance', 'total_earned', 'total_withdrawn')
const TRANSACTIONS = sortParam('name', 'transaction_type', 'amount', 'description', 'created_at')
const searchSchema = z.object({
  tab: given(z.enum(['overview', 'wallets', 'transactions'])),
  range: given(z.enum(['1d', '7d', '30d', 'all'])),
  type: given(z.enum(['all', 'earned', 'spent', 'withdrawn', 'refunded'])),
  q: given(z.string()),
  rows: keptRows,
  sort: given(z.string()),
})

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/financials')({
  validateSearch: (asked: z.input<typeof searchSchema>): z.infer<typeof searchSchema> => {
    const search = searchSchema.parse(asked)
    return { ...search, sort: (search.tab === 'wallets' ? WALLETS : TRANSACTIONS).parse(search.sort) }
  },
  component: Financials,
})

function Financials() {
  const { id: userId } = useUser()
  const { tab = 'overview', range = '7d', type = 'all', q: search = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  useTreasuryLive()

  const filter: TransactionFilter = { range, type, search }
  const narrow = (change: Partial<TransactionFilter>) => {
    const { search: q, ...rest } = { ...filter, ...change }
    void navigate({
      search: (now) => ({ ...now, tab, ...rest, q: q || undefined, rows: undefined }),
      replace: true,
    })
  }
  const show = (wanted: string | null) =>
    void navigate({ search: searchSchema.parse({ tab: wanted }), resetScroll: false })
  return (
    <>
      <PageTitle title={t`Financials`}>{t`Everyone’s coins; 1 coin is 1 euro.`}</PageTitle>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="overview">{t`Overview`}</Tabs.Tab>
          <Tabs.Tab value="wallets">{t`User Wallets`}</Tabs.Tab>
          <Tabs.Tab value="transactions">{t`Transactions`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <Overview />
        </Tabs.Panel>
        <Tabs.Panel value="wallets">
          <SearchField label={t`Search by name`} value={search} onSearch={(q) => narrow({ search: q })} />
          <WalletList userId={userId} search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="transactions">
          <Suspense>
            <TransactionFilters filter={filter} onChange={narrow} />
          </Suspense>
          <TransactionStatistics range={range} />
          <TransactionList filter={filter} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
