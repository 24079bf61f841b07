import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { type Sorting, sortedPage } from '#lib/sorting.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 50
const FILES_PAGE = 10

export const payoutKeys = {
  all: ['payouts'],
  list: (wish: PayoutWish) => ['payouts', 'list', wish],
  statistics: ['payouts', 'statistics'],
  files: ['payouts', 'files'],
} as const

export type PayoutStatus = TableRow<'withdrawal_requests'>['status']

/** Which withdrawals are wanted; what is left out does not narrow the list. */
export interface PayoutWish {
  status?: PayoutStatus | undefined
  person?: string | undefined
  sorting?: Sorting | undefined
}

/**
 * A request to be paid out, as an admin sees it: coins, of which 1 is 1 EUR, and ISO timestamps. Nobody `processedBy` or
 * `completedBy` means the server.
 */
export type Payout = RowOf<
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
  { status: PayoutStatus }
>

/** A file of payments for the bank; in EUR, with ISO timestamps. */
export type PayoutFile = RowOf<
  'list_payout_files',
  'createdByName' | 'voidedAt' | 'voidedByName' | 'voidReason'
>

/** How many withdrawals have a status, and their coins. */
type PayoutCount = RowOf<'withdrawal_statistics', never, { status: PayoutStatus }>

/** The withdrawals that fit, newest request first, page by page. */
export const payoutsQuery = ({ status, person, sorting }: PayoutWish) =>
  pagedQuery<Payout>({
    key: payoutKeys.list({ status, person, sorting }),
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: async ({ after }, signal) => {
      const wanted = { p_status: status ?? null, p_person: person ?? null, p_limit: PAGE_SIZE }
      const page = sortedPage(sorting ?? { by: 'requested_at', desc: true }, 'id', after)
      return (await rpc('list_withdrawals', { ...wanted, ...page }, signal)).map(camel<Payout>)
    },
  })

/** The payment files, newest first. */
export const payoutFilesQuery = (sorting?: Sorting) =>
  pagedQuery<PayoutFile>({
    key: [...payoutKeys.files, sorting],
    placeholderData: keepPreviousData,
    size: FILES_PAGE,
    load: async ({ after }, signal) => {
      const page = sortedPage(sorting ?? { by: 'id', desc: true }, 'id', after)
      return (await rpc('list_payout_files', { p_limit: FILES_PAGE, ...page }, signal)).map(camel<PayoutFile>)
    },
  })

/** One entry for each status, in the order a withdrawal goes through them. */
export const payoutStatisticsQuery = query({
  key: payoutKeys.statistics,
  load: async (signal) => (await rpc('withdrawal_statistics', {}, signal)) as PayoutCount[],
})

/** True if a withdrawal takes two admins at this moment, by the clock of the database. */
export const takesTwoAdminsQuery = query({
  key: ['takes-two-admins'],
  staleTime: 0,
  load: (signal): Promise<boolean> => rpc('takes_two_admins', {}, signal),
})
