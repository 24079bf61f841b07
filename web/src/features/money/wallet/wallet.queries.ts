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

/** The most entries of the history on screen. */
const LONGEST_HISTORY = 50

/** In coins; 1 coin is 1 EUR. */
export type Wallet = Pick<TableRow<'user_wallets'>, 'coinBalance' | 'totalEarned' | 'totalWithdrawn'>

/** A movement of coins: the amount is always above zero, the type says which way. */
export type CoinTransaction = TableRow<'coin_transactions'>

/** Coins on their way to a bank account, and when and why the bank sent the money back; with ISO timestamps. */
export type Withdrawal = TableRow<'withdrawal_requests'>

/** A person's wallet, opened empty when there is none yet. */
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

/** The last movements of a person's coins, newest first; only their own, even for an admin who may read all. */
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
    /** The last four characters of the IBAN, the only ones that are not encrypted. */
    last4: z.string(),
    /** ISO timestamp; withdrawals to a new account wait until then. */
    payable_from: z.string(),
  }),
)

/** The account a person's withdrawals go to, or null. */
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
