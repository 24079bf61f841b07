import { lazyPart } from '#lib/online.ts'

/** Loaded when a payment is denied. */
export const DenyDialog = lazyPart(async () => (await import('./DenyDialog.tsx')).DenyDialog)

/** Loaded when a payer repeats a denied claim. */
export const HowPaidDialog = lazyPart(async () => (await import('./HowPaidDialog.tsx')).HowPaidDialog)
