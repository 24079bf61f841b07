import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export type Step = 'week' | 'month'

/**
 * A week or month of the site in the reader's time zone, named by its first day (YYYY-MM-DD). Counts the people who
 * joined in that period and still have an account, and the plans and places at the end of the period. Money is in EUR,
 * null for moderators.
 */
export type Period = RowOf<'site_series', 'paid' | 'fees'>

/** A series with its step, since the previous series stays on screen while another one loads. */
export interface Series {
  step: Step
  periods: Period[]
}

/** The last twelve weeks or months, oldest first. Cached per person, since not all staff may see all figures. */
export const siteSeriesQuery = (userId: string, step: Step) =>
  query({
    key: ['admin-figures', 'series', userId, step],
    placeholderData: keepPreviousData,
    load: async (signal): Promise<Series> => ({
      step,
      periods: (await rpc('site_series', { p_step: step }, signal)).map(camel<Period>),
    }),
  })
