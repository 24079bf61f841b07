import { lazyPart } from '#lib/online.ts'

/** Loaded once somebody says that nothing arrived. */
export const DenyDialog = lazyPart(async () => (await import('./DenyDialog.tsx')).DenyDialog)

/** Loaded once a payer repeats what was denied. */
export const HowPaidDialog = lazyPart(async () => (await import('./HowPaidDialog.tsx')).HowPaidDialog)
