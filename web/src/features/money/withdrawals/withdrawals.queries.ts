import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { type Sorting, sortedPage } from '#lib/sorting.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 50
const FILES_PAGE = 10

export const staffWithdrawalKeys = {
  all: ['staff-withdrawals'],
  list: (filter: WithdrawalFilter) => ['staff-withdrawals', 'list', filter],
  statistics: ['staff-withdrawals', 'statistics'],
  files: ['staff-withdrawals', 'files'],
} as const

export type WithdrawalStatus = TableRow<'withdrawal_requests'>['status']

/** The filter of the withdrawal list. An omitted field does not filter. */
export interface WithdrawalFilter {
  status?: WithdrawalStatus | undefined
  person?: string | undefined
  sorting?: Sorting | undefined
}

/**
 * A withdrawal as an admin sees it: in coins (1 coin is 1 EUR), with ISO timestamps. A null `processedBy` or
 * `completedBy` means the server.
 */
export type StaffWithdrawal = RowOf<
  'list_withdrawals',
  | 'fullName'
  | 'avatarUrl'
  | 'processedAt'
  | 'processedBy'
  | 'processedByName'
  | 'completedAt'
  | 'completedBy'
  | 'completedByName'
  | 'rejectionReason'
  | 'stripeTransferId'
  | 'bankAccountLast4'
  | 'payoutFileId'
  | 'returnedAt'
  | 'returnReason',
  { status: WithdrawalStatus }
>

/** A file of payments for the bank; in EUR, with ISO timestamps. */
export type PayoutFile = RowOf<
  'list_payout_files',
  'createdByName' | 'voidedAt' | 'voidedByName' | 'voidReason'
>

/** The number of withdrawals in a status, and their sum in coins. */
type WithdrawalCount = RowOf<'withdrawal_statistics', never, { status: WithdrawalStatus }>

/** The withdrawals that match the filter, newest request first, in pages. */
export const staffWithdrawalsQuery = ({ status, person, sorting }: WithdrawalFilter) =>
  pagedQuery<StaffWithdrawal>({
    key: staffWithdrawalKeys.list({ status, person, sorting }),
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: async ({ after }, signal) => {
      const wanted = { p_status: status ?? null, p_person: person ?? null, p_limit: PAGE_SIZE }
      const page = sortedPage(sorting ?? { by: 'requested_at', desc: true }, 'id', after)
      return (await rpc('list_withdrawals', { ...wanted, ...page }, signal)).map(camel<StaffWithdrawal>)
    },
  })

/** The payment files, newest first. */
export const payoutFilesQuery = (sorting?: Sorting) =>
  pagedQuery<PayoutFile>({
    key: [...staffWithdrawalKeys.files, sorting],
    placeholderData: keepPreviousData,
    size: FILES_PAGE,
    load: async ({ after }, signal) => {
      const page = sortedPage(sorting ?? { by: 'id', desc: true }, 'id', after)
      return (await rpc('list_payout_files', { p_limit: FILES_PAGE, ...page }, signal)).map(camel<PayoutFile>)
    },
  })

/** One entry for each status, in the order in which a withdrawal goes through them. */
export const withdrawalStatisticsQuery = query({
  key: staffWithdrawalKeys.statistics,
  load: async (signal) => (await rpc('withdrawal_statistics', {}, signal)) as WithdrawalCount[],
})

/** True if a withdrawal takes two admins right now, according to the database. */
export const takesTwoAdminsQuery = query({
  key: ['takes-two-admins'],
  staleTime: 0,
  load: (signal): Promise<boolean> => rpc('takes_two_admins', {}, signal),
})
