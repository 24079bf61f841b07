import { keepPreviousData } from '@tanstack/react-query'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export type Step = 'week' | 'month'

/** A week or a month of the site, in UTC. */
export interface Period {
  /** Its first day, YYYY-MM-DD. */
  start: string
  /** Who came in it and is still here. */
  people: number
  /** How many active plans and living places there were at its end. */
  plans: number
  places: number
  /** In EUR; null for moderators, who see no money. */
  paid: number | null
  fees: number | null
}

/** What was asked for last stays in sight until the next is there, so that it says itself by what it goes. */
export interface Series {
  step: Step
  periods: Period[]
}

/** The last twelve weeks or months, the oldest first; per person, because not everybody on the staff gets all of it. */
export const siteSeriesQuery = (userId: string, step: Step) =>
  query({
    key: ['admin-figures', 'series', userId, step],
    placeholderData: keepPreviousData,
    load: async (signal): Promise<Series> => ({
      step,
      periods: (await rpc('site_series', { p_step: step }, signal)).map(({ starts_on, ...period }) => ({
        start: starts_on,
        ...(period as Omit<Period, 'start'>),
      })),
    }),
  })
