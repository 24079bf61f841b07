/** The cards of open payments between two people, loaded once there is one to pay, to confirm, or to pay back. */
import { lazyPart } from '#lib/online.ts'

export const ConfirmPayment = lazyPart(async () => (await import('./ConfirmPayment.tsx')).ConfirmPayment)
export const OwnerDebt = lazyPart(async () => (await import('./OwnerDebt.tsx')).OwnerDebt)
export const RepayDebt = lazyPart(async () => (await import('./RepayDebt.tsx')).RepayDebt)
export const PayOwnerCard = lazyPart(async () => (await import('./PayOwnerCard.tsx')).PayOwnerCard)
