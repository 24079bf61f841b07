import { t } from '@lingui/core/macro'
import type { PaymentProvider } from '#lib/payments.ts'

/** Whether an owner's members can pay by card: yes, not on this site, or only once the owner's payouts are set up. */
export type Cards = 'taken' | 'none' | 'payouts-first'

export const cardsRefusals = {
  none: t`This site doesn’t take cards, so members pay you directly.`,
  'payouts-first': t`Before members can pay by card, set up how you get paid.`,
} as const

export const cardsWith = (provider: PaymentProvider | null | undefined): Cards =>
  !provider?.isOpen ? 'none' : provider.paysMe ? 'taken' : 'payouts-first'
