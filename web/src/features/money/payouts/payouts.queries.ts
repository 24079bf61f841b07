import type { Database } from '@potluck/supabase/types'
import { keepPreviousData } from '@tanstack/react-query'
import { pagedQuery, query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 50
const FILES_PAGE = 10
/** Somebody who has no display name. */
const NAMELESS = 'Unknown'

export const payoutKeys = {
  all: ['payouts'],
  list: (wish: PayoutWish) => ['payouts', 'list', wish],
  statistics: ['payouts', 'statistics'],
  files: ['payouts', 'files'],
} as const

export type PayoutStatus = Database['public']['Tables']['withdrawal_requests']['Row']['status']

/** Which withdrawals are wanted; what is left out is not asked about. */
export interface PayoutWish {
  status?: PayoutStatus | undefined
  person?: string | undefined
}

/** Coins somebody wants paid out, as an admin sees it. */
export interface Payout {
  id: string
  userId: string
  displayName: string
  /** As the bank knows the person; null when the person has not said. */
  fullName: string | null
  avatarUrl: string | null
  /** Coins, each 1 EUR. */
  amount: number
  status: PayoutStatus
  /** ISO timestamps; null for what has not happened. */
  requestedAt: string
  processedAt: string | null
  completedAt: string | null
  /** Who approved or rejected it; null when nobody has, or the server did. */
  processedBy: Admin | null
  /** Who completed it, or rejected it while it was processing. */
  completedBy: Admin | null
  rejectionReason: string | null
  transferId: string | null
  bankAccountLast4: string | null
  /** It names a bank account, so a payment file can pay it. */
  hasAccount: boolean
  /** The payment file that pays it. */
  fileId: number | null
  returnedAt: string | null
  returnReason: string | null
}

/** A file of payments for the bank. */
export interface PayoutFile {
  id: number
  payments: number
  completed: number
  /** In euros. */
  amount: number
  createdAt: string
  createdBy: string
  voidedAt: string | null
  voidedBy: string | null
  voidReason: string | null
}

interface Admin {
  userId: string
  name: string
}

/** How many withdrawals of a status there are, and their coins. */
export interface PayoutCount {
  status: PayoutStatus
  requests: number
  amount: number
}

/** The withdrawals that fit, newest requested first, a page after the other. */
export const payoutsQuery = ({ status, person }: PayoutWish) =>
  pagedQuery({
    key: payoutKeys.list({ status, person }),
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: async ({ count }, signal): Promise<Payout[]> => {
      const wanted = { p_status: status ?? null, p_person: person ?? null }
      const rows = await rpc('list_withdrawals', { p_limit: PAGE_SIZE, p_offset: count, ...wanted }, signal)
      return rows.map((row) => ({
        id: row.id,
        userId: row.user_id,
        displayName: row.display_name ?? NAMELESS,
        fullName: row.full_name,
        avatarUrl: row.avatar_url,
        amount: row.amount,
        status: row.status as PayoutStatus,
        requestedAt: row.requested_at,
        processedAt: row.processed_at,
        completedAt: row.completed_at,
        processedBy: toAdmin(row.processed_by, row.processed_by_name),
        completedBy: toAdmin(row.completed_by, row.completed_by_name),
        rejectionReason: row.rejection_reason,
        transferId: row.stripe_transfer_id,
        bankAccountLast4: row.bank_account_last4,
        hasAccount: row.has_account,
        fileId: row.payout_file_id,
        returnedAt: row.returned_at,
        returnReason: row.return_reason,
      }))
    },
  })

// The generated types know no null in what a function returns.
const toAdmin = (userId: string | null, name: string | null): Admin | null =>
  userId === null ? null : { userId, name: name ?? NAMELESS }

/** The payment files, newest first. */
export const payoutFilesQuery = pagedQuery({
  key: payoutKeys.files,
  size: FILES_PAGE,
  load: async ({ count }, signal): Promise<PayoutFile[]> => {
    const rows = await rpc('list_payout_files', { p_limit: FILES_PAGE, p_offset: count }, signal)
    return rows.map((row) => ({
      id: row.id,
      payments: row.payments,
      completed: row.completed,
      amount: row.amount,
      createdAt: row.created_at,
      createdBy: row.created_by_name ?? NAMELESS,
      voidedAt: row.voided_at,
      voidedBy: row.voided_by_name,
      voidReason: row.void_reason,
    }))
  },
})

/** The statistics, one entry for each status in the order a withdrawal goes through them. */
export const payoutStatisticsQuery = query({
  key: payoutKeys.statistics,
  load: async (signal) => (await rpc('withdrawal_statistics', {}, signal)) as PayoutCount[],
})
