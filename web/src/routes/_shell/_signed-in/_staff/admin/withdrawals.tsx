import { t } from '@lingui/core/macro'
import { Card, Group, Select, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CoinsByDay } from '#features/money/treasury/CoinsByDay.tsx'
import { useTreasuryLive } from '#features/money/treasury/treasury.live.ts'
import { PayoutFiles } from '#features/money/withdrawals/PayoutFiles.tsx'
import { WithdrawalStatistics } from '#features/money/withdrawals/WithdrawalStatistics.tsx'
import { WithdrawalTable } from '#features/money/withdrawals/WithdrawalTable.tsx'
import { WITHDRAWAL_STATES } from '#features/money/withdrawals/withdrawals.messages.ts'
import {
  staffWithdrawalKeys,
  type WithdrawalFilter,
  type WithdrawalStatus,
  withdrawalStatisticsQuery,
} from '#features/money/withdrawals/withdrawals.queries.ts'
import { PersonFilter } from '#features/staff/users/PersonFilter.tsx'
import { useLive } from '#lib/live.ts'
import { given, keptRows } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { sortParam } from '#lib/sorting.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

const STATUSES = Object.entries(WITHDRAWAL_STATES).map(([value, { label }]) => ({ value, label }))
/** Up to this number of requests, a filter saves nobody time. */
const FEW = 5
const searchSchema = z.object({
  status: given(z.enum(['pending', 'processing', 'completed', 'rejected'])),
  person: given(z.guid()),
  rows: keptRows,
  sort: sortParam('display_name', 'amount', 'status', 'requested_at'),
  fileSort: sortParam('id', 'amount', 'created_at'),
  fileRows: keptRows,
})

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/withdrawals')({
  validateSearch: searchSchema,
  component: Withdrawals,
})

function Withdrawals() {
  const { id: userId } = useUser()
  const filter = Route.useSearch()
  const navigate = Route.useNavigate()
  const narrow = (change: WithdrawalFilter) =>
    void navigate({ search: (now) => ({ ...now, ...change, rows: undefined }), resetScroll: false })
  const { data: counts = [] } = useQuery(withdrawalStatisticsQuery)
  const requests = counts.reduce((sum, one) => sum + one.requests, 0)
  const isFiltered = requests > FEW || filter.status !== undefined || filter.person !== undefined
  useLive('withdrawals', [{ table: 'withdrawal_requests' }], { keys: [staffWithdrawalKeys.all] })
  useTreasuryLive()
  return (
    <>
      <PageTitle title={t`Withdrawals`}>{t`Coins to pay out; 1 coin is 1 euro.`}</PageTitle>
      <Stack gap="lg">
        <Card component="section">
          <Title order={2} size="h3" mb="md">
            {t`Withdrawal Requests`}
          </Title>
          {isFiltered && (
            <Group gap="sm" mb="lg" align="flex-end">
              <PersonFilter person={filter.person} onChange={(person) => narrow({ person })} />
              <Select
                label={t`Status`}
                placeholder={t`All statuses`}
                data={STATUSES}
                value={filter.status ?? null}
                clearable
                flex="1 1 140px"
                maw={200}
                onChange={(status) => narrow({ status: (status as WithdrawalStatus | null) ?? undefined })}
              />
            </Group>
          )}
          <WithdrawalTable userId={userId} filter={filter} />
        </Card>
        <PayoutFiles />
        <WithdrawalStatistics />
        <CoinsByDay label={t`Paid out in 30 days`} of={['withdrawn']} />
      </Stack>
    </>
  )
}
