import { camel, type RowOf } from '#lib/camel.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { callVault } from '#lib/vault.ts'

export const vaultKeys = {
  due: ['vault', 'due'],
  ofPlan: (planId: string) => ['vault', planId],
  entry: (planId: string) => ['vault', planId, 'entry'],
  login: (planId: string) => ['vault', planId, 'login'],
  versions: (planId: string) => ['vault', planId, 'versions'],
  openings: (planId: string) => ['vault', planId, 'openings'],
} as const

/** What can be seen of a plan's entry without opening it. */
export interface VaultEntry {
  version: number
  /** ISO timestamp, as every time here. */
  changedAt: string
  /** The signed-in person has opened this version. */
  opened: boolean
  /** When somebody left who knows the password. */
  changeDueSince: string | null
}

/** Null while there is nothing stored that the signed-in person may open. */
export const vaultEntryQuery = (planId: string) =>
  query({
    key: vaultKeys.entry(planId),
    pace: 1000,
    load: async (signal) => toEntry(await rpc('get_vault_entry', { p_subscription_id: planId }, signal)),
  })

export const toEntry = (stored: unknown) => (stored ? camel<VaultEntry>(stored) : null)

/** The name people sign in with at the provider; null until the owner has shared it. */
export const accountLoginQuery = (planId: string) =>
  query({
    key: vaultKeys.login(planId),
    pace: 1000,
    load: async (signal) =>
      ((await callVault('open-plan-login', { plan: planId }, signal)) as { login: string | null }).login,
  })

/** By plan id, since when a password of one's own plans needs changing; plans in order are absent. */
export const passwordsDueQuery = query({
  key: vaultKeys.due,
  seen: true,
  load: async (signal): Promise<Partial<Record<string, string>>> => {
    const rows = await rpc('passwords_due', {}, signal)
    return Object.fromEntries(rows.map((row) => [row.subscription_id, row.since]))
  },
})

export const versionsQuery = (planId: string) =>
  query({
    key: vaultKeys.versions(planId),
    load: async (signal) =>
      (await rpc('list_vault_versions', { p_subscription_id: planId }, signal)).map(
        camel<RowOf<'list_vault_versions'>>,
      ),
  })

const PAGE = 20

/** `openedBy` and the name are null once the account is closed. */
type Opening = RowOf<'list_vault_openings', 'openedBy' | 'openerName'>

/** Who opened it and when, newest first: the owner sees everybody, a member only themselves. */
export const openingsQuery = (planId: string) =>
  pagedQuery<Opening>({
    key: vaultKeys.openings(planId),
    size: PAGE,
    load: async ({ count }, signal) => {
      const page = { p_subscription_id: planId, p_limit: PAGE, p_offset: count }
      return (await rpc('list_vault_openings', page, signal)).map(camel<Opening>)
    },
  })
