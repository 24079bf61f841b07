import * as z from 'zod/mini'
import { given } from '#lib/search.ts'

/** A separate file, since search parameters are parsed before the page itself loads. */
export const savingsSearch = z.object({ tab: given(z.enum(['overview', 'transactions', 'withdrawals'])) })
