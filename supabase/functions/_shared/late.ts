import { LIMITS } from './limits.ts'

const GRACE = LIMITS.paymentGraceHours * 60 * 60_000

/**
 * Returns whether an open payment counts as late: some days after its due date, because transfers take time. `now` is
 * in ms. This is the same rule as `private.is_late()`; a test compares the two.
 */
export const isLate = (dueAt: string, now: number): boolean => now - Date.parse(dueAt) >= GRACE
