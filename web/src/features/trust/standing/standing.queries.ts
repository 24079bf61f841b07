import type { Database } from '@potluck/supabase/types'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import type { Facts, Levels } from './facts.ts'

const standingKeys = {
  all: ['standing'],
  of: (userId: string) => ['standing', 'of', userId],
  levels: ['standing', 'levels'],
} as const

/** How far somebody can be relied on, worked out from facts; null for an account that is gone. */
export const standingQuery = (userId: string) =>
  query({
    key: standingKeys.of(userId),
    staleTime: 60_000,
    load: async (): Promise<Facts | null> => (await ask(userId)).get(userId) ?? null,
  })

/** What each level takes. */
export const levelsQuery = query({
  key: standingKeys.levels,
  staleTime: Number.POSITIVE_INFINITY,
  load: async (signal): Promise<Levels> =>
    (await rpc('get_standing_levels', {}, signal)) as unknown as Levels,
})

/** As many people as the database answers about at once. */
const MOST = 100
let page: { ids: Set<string>; answer: Promise<Map<string, Facts>> } | null = null

/** All who are asked about at the same moment, as those on a page of plans, are one question. */
function ask(userId: string): Promise<Map<string, Facts>> {
  if (!page || page.ids.size === MOST) page = open()
  page.ids.add(userId)
  return page.answer
}

function open() {
  const ids = new Set<string>()
  const answer = new Promise((resolve) => setTimeout(resolve)).then(async () => {
    if (page?.ids === ids) page = null
    const rows = await rpc('standing_of', { p_user_ids: [...ids] })
    return new Map(rows.map((row) => [row.user_id, toFacts(row)]))
  })
  return { ids, answer }
}

type Row = Database['public']['Functions']['standing_of']['Returns'][number]

const toFacts = (row: Row): Facts => ({
  level: row.level as Facts['level'],
  daysHere: row.days_here,
  hoursGiven: row.hours_given,
  paidOnTime: row.paid_on_time,
  paidLate: row.paid_late,
  problems: row.problems,
  answers: row.answers,
  answerMinutes: row.answer_minutes,
  rating: row.rating,
  reviewers: row.reviewers,
})
