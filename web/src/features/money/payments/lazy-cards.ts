/** The cards of open payments between two people, loaded once there is one to pay, to confirm, or to pay back. */
import { lazyPart } from '#lib/online.ts'

export const ConfirmPayment = lazyPart(async () => (await import('./ConfirmPayment.tsx')).ConfirmPayment)
export const OwedBack = lazyPart(async () => (await import('./OwedBack.tsx')).OwedBack)
export const PayBack = lazyPart(async () => (await import('./PayBack.tsx')).PayBack)
export const PayOwnerCard = lazyPart(async () => (await import('./PayOwnerCard.tsx')).PayOwnerCard)
