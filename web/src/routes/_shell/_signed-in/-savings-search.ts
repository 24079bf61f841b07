import * as z from 'zod/mini'
import { given } from '#lib/search.ts'

export const SAVINGS_TABS = ['overview', 'transactions', 'withdrawals'] as const
export type SavingsTab = (typeof SAVINGS_TABS)[number]

/** In a file of its own, since addresses are parsed before the page itself loads. */
export const savingsSearch = z.object({ tab: given(z.enum(SAVINGS_TABS)) })
