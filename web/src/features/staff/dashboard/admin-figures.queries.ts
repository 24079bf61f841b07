import { t } from '@lingui/core/macro'
import { growth } from '#domain/growth.ts'
import { AppError } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/** A figure and its change since the start of the month, in percent; null if there is nothing to compare with. */
interface Figure {
  value: number
  change: number | null
}

export interface AdminFigures {
  activePlans: Figure
  /** In EUR; null for moderators, who may not see money. */
  revenue: Figure | null
  users: { total: number; newThisMonth: number; active: number; admins: number; growth: number | null }
}

/** The figures of the dashboard. Cached per person, since not all staff may see all figures. */
export const adminFiguresQuery = (userId: string) =>
  query({
    key: ['admin-figures', userId],
    load: async (signal): Promise<AdminFigures> => {
      const [row] = await rpc('get_admin_dashboard', {}, signal)
      if (!row) throw new AppError('no_figures', t`The figures did not come`)
      return {
        activePlans: figure(row.active_plans, row.active_plans_before),
        revenue: row.revenue === null ? null : figure(row.revenue, row.revenue_before),
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
