import * as z from 'zod/mini'
import { boundsOf } from '#domain/months.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { walletKeys } from './wallet.queries.ts'

const statementSchema = z.object({
  /** In coins, as all amounts here; each is 1 EUR. */
  opening: z.number(),
  closing: z.number(),
  /** When the first coin of all moved; an ISO timestamp. */
  firstAt: z.nullable(z.string()),
  movements: z.array(
    z.object({
      /** ISO timestamp. */
      at: z.string(),
      kind: z.string(),
      /** Below zero for what went out. */
      amount: z.number(),
      /** What was in the wallet afterwards. */
      balance: z.number(),
      description: z.string(),
      /** Who corrected the wallet. */
      by: z.nullable(z.string()),
    }),
  ),
})
export type Statement = z.infer<typeof statementSchema>

/** What moved in a person's wallet in a month (YYYY-MM), the oldest first. */
export const statementQuery = (userId: string, month: string) =>
  query({
    key: walletKeys.statementOf(userId, month),
    load: async (signal): Promise<Statement> => {
      const { from, until } = boundsOf(month)
      const bounds = { p_from: from.toISOString(), p_until: until.toISOString() }
      return statementSchema.parse(await rpc('wallet_statement', bounds, signal))
    },
  })
