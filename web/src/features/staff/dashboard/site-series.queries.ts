import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export type Step = 'week' | 'month'

/**
 * A week or a month of the site, in the reader’s time zone, by its first day (YYYY-MM-DD). People came in it and are still here, plans and places are
 * counted at its end, and money is in EUR, null for moderators.
 */
export type Period = RowOf<'site_series', 'paid' | 'fees'>

/** Names its own step, since the previous series stays on screen while another one loads. */
export interface Series {
  step: Step
  periods: Period[]
}

/** The last twelve weeks or months, the oldest first; per person, because not everybody on the staff sees all of it. */
export const siteSeriesQuery = (userId: string, step: Step) =>
  query({
    key: ['admin-figures', 'series', userId, step],
    placeholderData: keepPreviousData,
    load: async (signal): Promise<Series> => ({
      step,
      periods: (await rpc('site_series', { p_step: step }, signal)).map(camel<Period>),
    }),
  })
