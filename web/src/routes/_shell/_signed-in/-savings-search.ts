import * as z from 'zod/mini'

export const SAVINGS_TABS = ['overview', 'transactions', 'withdrawals'] as const
export type SavingsTab = (typeof SAVINGS_TABS)[number]

/** In a file of its own, since addresses are parsed before the page itself loads. */
export const savingsSearch = z.object({ tab: z.catch(z.optional(z.enum(SAVINGS_TABS)), undefined) })
