import { camel } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import type { Facts, Levels } from './facts.ts'

const standingKeys = {
  all: ['standing'],
  of: (userId: string) => ['standing', 'of', userId],
  levels: ['standing', 'levels'],
} as const

/** A person's standing; null for a deleted account, or if a block hides the standing from the reader. */
export const standingQuery = (userId: string) =>
  query({
    key: standingKeys.of(userId),
    staleTime: 60_000,
    load: async (): Promise<Facts | null> => (await ask(userId)).get(userId) ?? null,
  })

/** The requirements of each level. */
export const levelsQuery = query({
  key: standingKeys.levels,
  staleTime: Number.POSITIVE_INFINITY,
  load: async (signal): Promise<Levels> =>
    (await rpc('get_standing_levels', {}, signal)) as unknown as Levels,
})

/** The maximum number of people in one request, set by the database. */
const MOST = 100
let batch: { ids: Set<string>; answer: Promise<Map<string, Facts>> } | null = null

/** Combines lookups made at the same moment, such as for the owners on a page of plans, into one request. */
function ask(userId: string): Promise<Map<string, Facts>> {
  if (!batch || batch.ids.size === MOST) batch = open()
  batch.ids.add(userId)
  return batch.answer
}

function open() {
  const ids = new Set<string>()
  const answer = new Promise((resolve) => setTimeout(resolve)).then(async () => {
    if (batch?.ids === ids) batch = null
    const rows = await rpc('standing_of', { p_user_ids: [...ids] })
    return new Map(rows.map((row) => [row.user_id, camel<Facts>(row)]))
  })
  return { ids, answer }
}
