import type { Database } from '@potluck/supabase/types'
import { pagedQuery, query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const vaultKeys = {
  due: ['vault', 'due'],
  ofPlan: (planId: string) => ['vault', planId],
  entry: (planId: string) => ['vault', planId, 'entry'],
  versions: (planId: string) => ['vault', planId, 'versions'],
  openings: (planId: string) => ['vault', planId, 'openings'],
} as const

/** What is known of a plan's entry without opening it. */
export interface VaultEntry {
  version: number
  /** ISO timestamp, as every time here. */
  changedAt: string
  /** The signed-in person has opened this version. */
  opened: boolean
  /** Since when somebody knows the password who has left. */
  changeDueSince: string | null
}

/** Null while nothing is stored, or nothing that the signed-in person may open. */
export const vaultEntryQuery = (planId: string) =>
  query({
    key: vaultKeys.entry(planId),
    pace: 1000,
    load: async (signal) => toEntry(await rpc('get_vault_entry', { p_subscription_id: planId }, signal)),
  })

export function toEntry(stored: unknown): VaultEntry | null {
  if (!stored) return null
  const { version, changed_at, opened, change_due_since } = stored as {
    version: number
    changed_at: string
    opened: boolean
    change_due_since: string | null
  }
  return { version, changedAt: changed_at, opened, changeDueSince: change_due_since }
}

/** Since when the passwords of a person's plans are to be changed, by plan id; those in order are absent. */
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
    load: (signal) => rpc('list_vault_versions', { p_subscription_id: planId }, signal),
  })

const PAGE = 20

type Opening = Database['public']['Functions']['list_vault_openings']['Returns'][number]

/** Who opened it, newest first: everybody for the owner, and the signed-in person alone for a member. */
export const openingsQuery = (planId: string) =>
  pagedQuery({
    key: vaultKeys.openings(planId),
    size: PAGE,
    load: ({ count }, signal): Promise<Opening[]> => {
      const page = { p_subscription_id: planId, p_limit: PAGE, p_offset: count }
      return rpc('list_vault_openings', page, signal)
    },
  })
