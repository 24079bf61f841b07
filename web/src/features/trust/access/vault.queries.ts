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

/** The public part of a plan's vault entry, visible without opening it. */
export interface VaultEntry {
  version: number
  /** ISO timestamp, like every time here. */
  changedAt: string
  /** True if the signed-in person has opened this version. */
  opened: boolean
  /** When a member who knows the password left; null if none has left. */
  changeDueSince: string | null
}

/** A plan's vault entry; null if there is none that the signed-in person may open. */
export const vaultEntryQuery = (planId: string) =>
  query({
    key: vaultKeys.entry(planId),
    pace: 1000,
    load: async (signal) => toEntry(await rpc('get_vault_entry', { p_subscription_id: planId }, signal)),
  })

export const toEntry = (stored: unknown) => (stored ? camel<VaultEntry>(stored) : null)

/** The login name of the shared account at the provider; null until the owner has set it. */
export const accountLoginQuery = (planId: string) =>
  query({
    key: vaultKeys.login(planId),
    pace: 1000,
    load: async (signal) =>
      ((await callVault('open-plan-login', { plan: planId }, signal)) as { login: string | null }).login,
  })

/** By plan id, the time since which the password of one of the person's own plans needs changing; others are absent. */
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

/** A record that a person opened the entry. `openedBy` and the name are null once the account is deleted. */
type Opening = RowOf<'list_vault_openings', 'openedBy' | 'openerName'>

/** The openings of a plan's entry, newest first: all for the owner, their own for a member. */
export const openingsQuery = (planId: string) =>
  pagedQuery<Opening>({
    key: vaultKeys.openings(planId),
    size: PAGE,
    load: async ({ count }, signal) => {
      const page = { p_subscription_id: planId, p_limit: PAGE, p_offset: count }
      return (await rpc('list_vault_openings', page, signal)).map(camel<Opening>)
    },
  })
