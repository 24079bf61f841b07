import type { Database } from '@potluck/supabase/types'
import * as z from 'zod/mini'
import type { WithdrawalStatus } from '#domain/coins.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'

export const walletKeys = {
  of: (userId: string) => ['wallet', userId],
  coinsOf: (userId: string) => ['wallet', userId, 'coins'],
  transactionsOf: (userId: string) => ['wallet', userId, 'transactions'],
  withdrawalsOf: (userId: string) => ['wallet', userId, 'withdrawals'],
  bankAccountOf: (userId: string) => ['wallet', userId, 'bank-account'],
  statementOf: (userId: string, month: string) => ['wallet', userId, 'statement', month],
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
  /** When and why the bank sent the money back. */
  returnedAt: string | null
  returnReason: string | null
}

/** Where withdrawals go. */
export interface BankAccount {
  /** The last four characters of the IBAN, the only ones that are not sealed. */
  last4: string
  /** ISO timestamp; withdrawals to a new account wait until then. */
  payableFrom: string
}

/** A person's wallet, made with zeros when there is none yet. */
export const walletQuery = (userId: string) =>
  query({
    key: walletKeys.coinsOf(userId),
    seen: true,
    load: async (signal): Promise<Wallet> => {
      const wanted = read('user_wallets').select('*').eq('user_id', userId)
      const row = unwrap(await wanted.abortSignal(signal).maybeSingle())
      return toWallet(row ?? (await rpc('open_own_wallet', {}, signal)))
    },
  })

/** The last movements of a person's coins, newest first; an admin's own ones too, not everybody's. */
export const transactionsQuery = (userId: string) => ({
  ...query({
    key: walletKeys.transactionsOf(userId),
    seen: true,
    load: async (signal): Promise<CoinTransaction[]> => {
      const wanted = read('coin_transactions').select('*').eq('user_id', userId)
      const newest = wanted.order('created_at', { ascending: false }).limit(LONGEST_HISTORY)
      return unwrap(await newest.abortSignal(signal)).map(toTransaction)
    },
  }),
  select: (moves: CoinTransaction[]) => moves.slice(0, LONGEST_HISTORY),
})

const bankAccount = z.nullable(z.object({ last4: z.string(), payable_from: z.string() }))

/** A person's bank account, or null. */
export const bankAccountQuery = (userId: string) =>
  query({
    key: walletKeys.bankAccountOf(userId),
    load: async (signal): Promise<BankAccount | null> => {
      const found = bankAccount.parse(await rpc('get_bank_account', {}, signal))
      return found && { last4: found.last4, payableFrom: found.payable_from }
    },
  })

/** A person's withdrawals, newest first. */
export const withdrawalsQuery = (userId: string) =>
  query({
    key: walletKeys.withdrawalsOf(userId),
    seen: true,
    load: async (signal): Promise<Withdrawal[]> => {
      const wanted = read('withdrawal_requests').select('*').eq('user_id', userId)
      const newest = wanted.order('requested_at', { ascending: false })
      return unwrap(await newest.abortSignal(signal)).map(toWithdrawal)
    },
  })

type Tables = Database['public']['Tables']

// Stored rows, loaded or arrived live, as the screens know them.

export function toWallet(row: Tables['user_wallets']['Row']): Wallet {
  return { balance: row.coin_balance, earned: row.total_earned, withdrawn: row.total_withdrawn }
}

export function toTransaction(row: Tables['coin_transactions']['Row']): CoinTransaction {
  return {
    id: row.id,
    type: row.transaction_type,
    amount: row.amount,
    description: row.description,
    createdAt: row.created_at,
  }
}

export function toWithdrawal(row: Tables['withdrawal_requests']['Row']): Withdrawal {
  return {
    id: row.id,
    amount: row.amount,
    status: row.status,
    requestedAt: row.requested_at,
    processedAt: row.processed_at,
    completedAt: row.completed_at,
    rejectionReason: row.rejection_reason,
    bankAccountLast4: row.bank_account_last4,
    returnedAt: row.returned_at,
    returnReason: row.return_reason,
  }
}
