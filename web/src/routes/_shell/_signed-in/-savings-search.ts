import * as z from 'zod/mini'
import { given } from '#lib/search.ts'

/** In a file of its own, since addresses are parsed before the page itself loads. */
export const savingsSearch = z.object({ tab: given(z.enum(['overview', 'transactions', 'withdrawals'])) })
