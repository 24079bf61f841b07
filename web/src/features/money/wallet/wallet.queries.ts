import * as z from 'zod/mini'
import { camel, type TableRow } from '#lib/camel.ts'
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
  yearOf: (userId: string, year: number) => ['wallet', userId, 'year', year],
} as const

/** The maximum number of entries in the history. */
const LONGEST_HISTORY = 50

/** A wallet's balance and totals in coins; 1 coin is 1 EUR. */
export type Wallet = Pick<TableRow<'user_wallets'>, 'coinBalance' | 'totalEarned' | 'totalWithdrawn'>

/** A movement of coins: the amount is always above zero, the type gives the direction. */
export type CoinTransaction = TableRow<'coin_transactions'>

/** A withdrawal of coins to a bank account, with the time and reason if the bank returned it; ISO timestamps. */
export type Withdrawal = TableRow<'withdrawal_requests'>

/** A person's wallet; created empty if there is none yet. */
export const walletQuery = (userId: string) =>
  query({
    key: walletKeys.coinsOf(userId),
    seen: true,
    load: async (signal) => {
      const wanted = read('user_wallets').select('*').eq('user_id', userId)
      const row = unwrap(await wanted.abortSignal(signal).maybeSingle())
      return camel<Wallet>(row ?? (await rpc('open_own_wallet', {}, signal)))
    },
  })

/** The latest movements of a person's coins, newest first. Filtered by person, since an admin may read all. */
export const transactionsQuery = (userId: string) => ({
  ...query({
    key: walletKeys.transactionsOf(userId),
    seen: true,
    load: async (signal) => {
      const wanted = read('coin_transactions').select('*').eq('user_id', userId)
      const newest = wanted.order('created_at', { ascending: false }).limit(LONGEST_HISTORY)
      return unwrap(await newest.abortSignal(signal)).map(camel<CoinTransaction>)
    },
  }),
  select: (moves: CoinTransaction[]) => moves.slice(0, LONGEST_HISTORY),
})

const bankAccount = z.nullable(
  z.object({
    /** The last four characters of the IBAN; the rest is stored encrypted. */
    last4: z.string(),
    /** The time from which a new account can receive withdrawals, as an ISO timestamp. */
    payable_from: z.string(),
  }),
)

/** A person's bank account for withdrawals, or null. */
export const bankAccountQuery = (userId: string) =>
  query({
    key: walletKeys.bankAccountOf(userId),
    load: async (signal) => bankAccount.parse(await rpc('get_bank_account', {}, signal)),
  })

/** A person's withdrawals, newest first. */
export const withdrawalsQuery = (userId: string) =>
  query({
    key: walletKeys.withdrawalsOf(userId),
    seen: true,
    load: async (signal) => {
      const wanted = read('withdrawal_requests').select('*').eq('user_id', userId)
      const newest = wanted.order('requested_at', { ascending: false })
      return unwrap(await newest.abortSignal(signal)).map(camel<Withdrawal>)
    },
  })
