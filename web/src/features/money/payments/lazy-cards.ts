/** The cards of open direct payments, loaded only when there is a payment to make, confirm or repay. */
import { lazyPart } from '#lib/online.ts'

export const ConfirmPayment = lazyPart(async () => (await import('./ConfirmPayment.tsx')).ConfirmPayment)
export const OwedBack = lazyPart(async () => (await import('./OwedBack.tsx')).OwedBack)
export const PayBack = lazyPart(async () => (await import('./PayBack.tsx')).PayBack)
export const PayOwnerCard = lazyPart(async () => (await import('./PayOwnerCard.tsx')).PayOwnerCard)
