import { queryOptions } from '@tanstack/react-query'
import { growth } from '#domain/growth.ts'
import { AppError, unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'

/** A figure with its change against the beginning of the month in percent, null where there is nothing to compare. */
interface Figure {
  value: number
  change: number | null
}

export interface AdminFigures {
  activePlans: Figure
  /** In euros; null for moderators, who see no money. */
  revenue: Figure | null
  users: { total: number; newThisMonth: number; active: number; admins: number; growth: number | null }
}

/** The figures of the dashboard; per person, because not everybody on the staff gets all of them. */
export const adminFiguresQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin-figures', userId],
    queryFn: async ({ signal }): Promise<AdminFigures> => {
      const [row] = unwrap(await supabase().rpc('get_admin_dashboard').abortSignal(signal))
      if (!row) throw new AppError('no_figures', 'The figures did not come')
      return {
        activePlans: figure(row.active_plans, row.active_plans_before),
        revenue: row.revenue === null ? null : figure(Number(row.revenue), Number(row.revenue_before)),
        users: {
          total: row.users,
          newThisMonth: row.users - row.users_before,
          active: row.active_users,
          admins: row.admins,
          growth: growth(row.users, row.users_before),
        },
      }
    },
  })

const figure = (now: number, before: number): Figure => ({ value: now, change: growth(now, before) })
