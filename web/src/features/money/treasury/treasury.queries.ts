import { t } from '@lingui/core/macro'
import { keepPreviousData } from '@tanstack/react-query'
import type { TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { containing } from '#lib/like.ts'
import { pagedQuery, query } from '#lib/query.ts'
import type { Sorting } from '#lib/sorting.ts'
import { read } from '#lib/supabase.ts'

const PAGE_SIZE = 50
/** In ms: the minimum time between reloads, since figures about all people change constantly. */
export const TREASURY_PACE = 5000
/** The maximum number of transactions on screen. */
const LONGEST_LIST = 100
/** The Data API's name for the column with the person's name. */
const NAME = 'profile(display_name)'
/** Shown for a person without a display name. */
const NAMELESS = t`Unknown`

export type TransactionType = TableRow<'coin_transactions'>['transactionType']

/** The length of each range in hours; null for no limit. */
const RANGES = { '1d': 24, '7d': 7 * 24, '30d': 30 * 24, all: null } as const
export type TimeRange = keyof typeof RANGES

export interface TransactionFilter {
  range: TimeRange
  type: TransactionType | 'all'
  /** Part of the description; empty for all. */
  search: string
  sorting?: Sorting | undefined
}

export const treasuryKeys = {
  all: ['treasury'],
  wallets: (search: string) => ['treasury', 'wallets', search],
  bounds: (userId: string) => ['treasury', 'bounds', userId],
  transactions: (filter: TransactionFilter) => ['treasury', 'transactions', filter],
} as const

/** The owner of a wallet or transaction. */
export interface Holder {
  userId: string
  name: string
  avatarUrl: string | null
}

/** A person's wallet, in coins of 1 EUR each. */
export interface UserWallet extends Holder {
  balance: number
  earned: number
  withdrawn: number
}

/** All wallets, highest balance first, in pages; `search` is part of a display name. */
export const walletsQuery = (search: string, sorting?: Sorting) =>
  pagedQuery<UserWallet>({
    key: [...treasuryKeys.wallets(search), sorting],
    size: PAGE_SIZE,
    pace: TREASURY_PACE,
    placeholderData: keepPreviousData,
    load: async ({ count }, signal) => {
      let wanted = read('user_wallets').select(
        'userId:user_id, balance:coin_balance, earned:total_earned, withdrawn:total_withdrawn, profile:user_profiles!inner(display_name, avatar_url)',
      )
      if (search) wanted = wanted.ilike('profile.display_name', containing(search))
      const { by, desc } = sorting ?? { by: 'coin_balance', desc: true }
      const ordered = wanted.order(by === 'name' ? NAME : by, { ascending: !desc }).order('user_id')
      return unwrap(await ordered.range(count, count + PAGE_SIZE - 1).abortSignal(signal)).map(withPerson)
    },
  })

/** A movement of coins: `amount` is positive, the type gives the direction; `createdAt` is an ISO timestamp. */
export interface Transaction
  extends Holder,
    Pick<TableRow<'coin_transactions'>, 'id' | 'amount' | 'description' | 'createdAt'> {
  type: TransactionType
  /** The person who made the movement; null for the server. */
  by: { userId: string; name: string } | null
}

/** The limits of adjusting a person's wallet, in coins: the balance not reserved by withdrawals, and the ceiling. */
export const adjustmentBoundsQuery = (userId: string) =>
  query({
    key: treasuryKeys.bounds(userId),
    staleTime: 0,
    load: async (signal) => {
      const open = read('withdrawal_requests').select('amount, status').eq('user_id', userId)
      const [withdrawals, settings] = await Promise.all([
        open.in('status', ['pending', 'processing']).abortSignal(signal),
        read('app_settings').select('adjustment_ceiling').abortSignal(signal).single(),
      ])
      return { withdrawals: unwrap(withdrawals), ceiling: unwrap(settings).adjustment_ceiling }
    },
  })

/** The latest coin movements of all wallets that match, newest first. */
export const transactionsQuery = (filter: TransactionFilter) =>
  query({
    key: treasuryKeys.transactions(filter),
    pace: TREASURY_PACE,
    placeholderData: keepPreviousData,
    load: async (signal): Promise<Transaction[]> => {
      const { range, type, search, sorting = { by: 'created_at', desc: true } } = filter
      const hours = RANGES[range]
      let wanted = read('coin_transactions').select(
        'id, userId:user_id, type:transaction_type, amount, description, createdAt:created_at, createdBy:created_by, profile:user_profiles!inner(display_name, avatar_url)',
      )
      if (hours) wanted = wanted.gte('created_at', new Date(Date.now() - hours * 3_600_000).toISOString())
      if (type !== 'all') wanted = wanted.eq('transaction_type', type)
      if (search) wanted = wanted.ilike('description', containing(search))
      const by = sorting.by === 'name' ? NAME : sorting.by
      const first = wanted.order(by, { ascending: !sorting.desc }).order('id').limit(LONGEST_LIST)
      const rows = unwrap(await first.abortSignal(signal))
      const nameOf = await namesOf(
        rows.flatMap(({ createdBy }) => createdBy ?? []),
        signal,
      )
      return rows.map(({ createdBy, ...row }) => ({
        ...withPerson(row),
        by: createdBy === null ? null : { userId: createdBy, name: nameOf.get(createdBy) ?? NAMELESS },
      }))
    },
  })

/** The display names of the people with these ids. */
async function namesOf(userIds: string[], signal: AbortSignal): Promise<Map<string, string | null>> {
  if (userIds.length === 0) return new Map()
  const wanted = read('user_profiles')
    .select('user_id, display_name')
    .in('user_id', [...new Set(userIds)])
  return new Map(
    unwrap(await wanted.abortSignal(signal)).map(({ user_id, display_name }) => [user_id, display_name]),
  )
}

interface WithProfile {
  profile: { display_name: string | null; avatar_url: string | null }
}

const withPerson = <Row extends WithProfile>({ profile, ...row }: Row) => ({
  ...row,
  name: profile.display_name ?? NAMELESS,
  avatarUrl: profile.avatar_url,
})
