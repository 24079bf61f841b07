/** The cards of open direct payments, loaded only when there is a payment to make, confirm or repay. */
import { lazyPart } from '#lib/online.ts'

export const ConfirmPayment = lazyPart(async () => (await import('./ConfirmPayment.tsx')).ConfirmPayment)
export const OwnerDebt = lazyPart(async () => (await import('./OwnerDebt.tsx')).OwnerDebt)
export const RepayDebt = lazyPart(async () => (await import('./RepayDebt.tsx')).RepayDebt)
export const PayOwnerCard = lazyPart(async () => (await import('./PayOwnerCard.tsx')).PayOwnerCard)
