import { queryOptions } from '@tanstack/react-query'
import type { WithdrawalStatus } from '#domain/coins.ts'
import { unwrap } from '#lib/errors.ts'
import { read, supabase } from '#lib/supabase.ts'

export const walletKeys = {
  of: (userId: string) => ['wallet', userId],
  coinsOf: (userId: string) => ['wallet', userId, 'coins'],
  transactionsOf: (userId: string) => ['wallet', userId, 'transactions'],
  withdrawalsOf: (userId: string) => ['wallet', userId, 'withdrawals'],
} as const

/** Entries of the history on screen. */
const LONGEST_HISTORY = 50

/** All in coins; 1 coin is 1 EUR. */
export interface Wallet {
  balance: number
  earned: number
  withdrawn: number
}

/** One movement of coins. */
export interface CoinTransaction {
  id: string
  type: 'earned' | 'spent' | 'withdrawn' | 'refunded'
  /** In coins, always above zero; the type says which way. */
  amount: number
  description: string
  /** ISO timestamp. */
  createdAt: string
}

/** Coins on their way to a bank account; all dates are ISO timestamps. */
export interface Withdrawal {
  id: string
  /** In coins. */
  amount: number
  status: WithdrawalStatus
  requestedAt: string
  processedAt: string | null
  completedAt: string | null
  rejectionReason: string | null
  bankAccountLast4: string | null
}

/** A person's wallet, made with zeros when there is none yet. */
export const walletQuery = (userId: string) =>
  queryOptions({
    queryKey: walletKeys.coinsOf(userId),
    queryFn: async ({ signal }): Promise<Wallet> => {
      const wanted = read('user_wallets').select('*').eq('user_id', userId)
      const row =
        unwrap(await wanted.abortSignal(signal).maybeSingle()) ??
        unwrap(await supabase().rpc('open_own_wallet').abortSignal(signal))
      return { balance: row.coin_balance, earned: row.total_earned, withdrawn: row.total_withdrawn }
    },
  })

/** The last movements of a person's coins, newest first; an admin's own ones too, not everybody's. */
export const transactionsQuery = (userId: string) =>
  queryOptions({
    queryKey: walletKeys.transactionsOf(userId),
    queryFn: async ({ signal }): Promise<CoinTransaction[]> => {
      const wanted = read('coin_transactions').select('*').eq('user_id', userId)
      const newest = wanted.order('created_at', { ascending: false }).limit(LONGEST_HISTORY)
      return unwrap(await newest.abortSignal(signal)).map((row) => ({
        id: row.id,
        type: row.transaction_type,
        amount: row.amount,
        description: row.description,
        createdAt: row.created_at,
      }))
    },
  })

/** A person's withdrawals, newest first. */
export const withdrawalsQuery = (userId: string) =>
  queryOptions({
    queryKey: walletKeys.withdrawalsOf(userId),
    queryFn: async ({ signal }): Promise<Withdrawal[]> => {
      const wanted = read('withdrawal_requests').select('*').eq('user_id', userId)
      const newest = wanted.order('requested_at', { ascending: false })
      return unwrap(await newest.abortSignal(signal)).map((row) => ({
        id: row.id,
        amount: row.amount,
        status: row.status,
        requestedAt: row.requested_at,
        processedAt: row.processed_at,
        completedAt: row.completed_at,
        rejectionReason: row.rejection_reason,
        bankAccountLast4: row.bank_account_last4,
      }))
    },
  })
