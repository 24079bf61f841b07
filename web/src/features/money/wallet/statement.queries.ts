import * as z from 'zod/mini'
import { boundsOf } from '#domain/months.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { walletKeys } from './wallet.queries.ts'

const statementSchema = z.object({
  /** All amounts here are in coins; 1 coin is 1 EUR. */
  opening: z.number(),
  closing: z.number(),
  /** The time of the wallet's first movement, as an ISO timestamp; null if there is none. */
  firstAt: z.nullable(z.string()),
  movements: z.array(
    z.object({
      /** ISO timestamp. */
      at: z.string(),
      kind: z.string(),
      /** Negative for coins that went out. */
      amount: z.number(),
      /** The wallet's balance afterwards. */
      balance: z.number(),
      description: z.string(),
      /** The name of the admin who made an adjustment; null for other movements. */
      by: z.nullable(z.string()),
    }),
  ),
})
export type Statement = z.infer<typeof statementSchema>

/** The movements of a person's wallet in a month (YYYY-MM), oldest first. */
export const statementQuery = (userId: string, month: string) =>
  query({
    key: walletKeys.statementOf(userId, month),
    load: async (signal): Promise<Statement> => {
      const { from, until } = boundsOf(month)
      const bounds = { p_from: from.toISOString(), p_until: until.toISOString() }
      return statementSchema.parse(await rpc('wallet_statement', bounds, signal))
    },
  })
