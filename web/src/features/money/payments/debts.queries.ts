import { named } from '#domain/plan-name.ts'
import { camel, type TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import { paymentKeys } from './payments.queries.ts'

/** A person's debt to the site, in EUR: their bank returned a debit that the site had already refunded. */
export type Debt = Pick<TableRow<'debts'>, 'id' | 'planName' | 'amount' | 'open' | 'openedAt'>

/** A person's open debts to the site, oldest first. */
export const debtsQuery = (userId: string) =>
  query({
    key: paymentKeys.debts(userId),
    seen: true,
    load: async (signal): Promise<Debt[]> => {
      const wanted = read('debts').select('id, plan_name, amount, open, opened_at').eq('member_id', userId)
      const rows = unwrap(await wanted.gt('open', 0).order('opened_at').abortSignal(signal))
      return rows.map((row) => named(camel<Debt>(row)))
    },
  })
