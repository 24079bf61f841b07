import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'

/** A saved card or bank account. */
export interface Saved {
  kind: 'card' | 'link' | 'sepa_debit'
  brand: string | null
  last4: string | null
}

export const noCards = t`This site doesn’t take cards. Members pay owners directly.`

/** The note for people who pay by SEPA debit. */
export const debitTakesDays = t`The debit takes up to ${LIMITS.debitWorkingDays} working days.`

/** The name of a saved payment method that is not a card. */
export const nameOf = ({ kind, last4 }: Saved): string =>
  kind === 'link' ? t`Link` : t`SEPA debit, IBAN ending ${{ last4: last4 ?? '' }}`

/** The label for adding a payment method, depending on the methods this site accepts. */
export const addTitle = (methods: readonly Saved['kind'][] = []) =>
  methods.includes('sepa_debit') ? t`Add a card or bank account` : t`Add a card`
