import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { inOrder, type Sorting } from '#lib/sorting.ts'
import { rowsOf, rpc } from '#lib/supabase.ts'

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
    load: async ({ after, count }, signal) => {
      const wanted = { p_status: status ?? null, p_person: person ?? null }
      if (sorting) {
        const all = rowsOf('list_withdrawals', { p_limit: null, ...wanted })
        const page = inOrder(all, sorting, 'id', after).limit(PAGE_SIZE)
        return unwrap(await page.abortSignal(signal)).map(camel<Payout>)
      }
      const rows = await rpc('list_withdrawals', { p_limit: PAGE_SIZE, p_offset: count, ...wanted }, signal)
      return rows.map(camel<Payout>)
    },
  })

/** The payment files, newest first. */
export const payoutFilesQuery = (sorting?: Sorting) =>
  pagedQuery<PayoutFile>({
    key: [...payoutKeys.files, sorting],
    placeholderData: keepPreviousData,
    size: FILES_PAGE,
    load: async ({ after, count }, signal) => {
      if (sorting) {
        const page = inOrder(rowsOf('list_payout_files', { p_limit: null }), sorting, 'id', after).limit(
          FILES_PAGE,
        )
        return unwrap(await page.abortSignal(signal)).map(camel<PayoutFile>)
      }
      const rows = await rpc('list_payout_files', { p_limit: FILES_PAGE, p_offset: count }, signal)
      return rows.map(camel<PayoutFile>)
    },
  })

/** One entry for each status, in the order a withdrawal goes through them. */
export const payoutStatisticsQuery = query({
  key: payoutKeys.statistics,
  load: async (signal) => (await rpc('withdrawal_statistics', {}, signal)) as PayoutCount[],
})
