import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import { type MarketSearch, marketSearchSchema } from './market-search.ts'

/** A saved search. Until it ends, the person is notified of new plans that match it. */
export interface PlanAlert {
  id: string
  search: MarketSearch
  /** ISO timestamp. */
  until: string
}

export const alertKeys = { of: (userId: string) => ['plan-alerts', userId] } as const

/** A person's plan alerts, newest first. */
export const alertsQuery = (userId: string) =>
  query({
    key: alertKeys.of(userId),
    load: async (signal): Promise<PlanAlert[]> => {
      const wanted = read('plan_alerts')
        .select('id, search, category, provider, most, settlement, level, instant, expires_at')
        .gt('expires_at', new Date().toISOString())
        .order('expires_at', { ascending: false })
      return unwrap(await wanted.abortSignal(signal)).map((row) => ({
        id: row.id,
        until: row.expires_at,
        search: marketSearchSchema.parse({
          q: row.search ?? undefined,
          category: row.category ?? undefined,
          service: row.provider ?? undefined,
          max: row.most ?? undefined,
          pay: row.settlement ? (row.settlement === 'direct' ? 'direct' : 'site') : undefined,
          level: row.level ?? undefined,
          instant: row.instant || undefined,
        }),
      }))
    },
  })
