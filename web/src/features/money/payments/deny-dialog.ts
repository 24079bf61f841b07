import { lazyPart } from '#lib/online.ts'

/** Loaded once somebody says that nothing arrived. */
export const DenyDialog = lazyPart(async () => (await import('./DenyDialog.tsx')).DenyDialog)
