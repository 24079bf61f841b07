import { t } from '@lingui/core/macro'

/** A saved card, or a bank account. */
export interface Saved {
  kind: 'card' | 'link' | 'sepa_debit'
  brand: string | null
  last4: string | null
}

export const noCards = t`This site doesn’t take cards. Members pay owners directly.`

/** What a debit of a bank account means for whoever pays by it. */
export const debitTakesDays = t`The debit takes up to 14 working days.`

/** Of what is no card. */
export const nameOf = ({ kind, last4 }: Saved): string =>
  kind === 'link' ? t`Link` : t`SEPA debit, IBAN ending ${{ last4: last4 ?? '' }}`

/** How saving something is called on this site. */
export const addTitle = (methods: readonly Saved['kind'][] = []) =>
  methods.includes('sepa_debit') ? t`Add a card or bank account` : t`Add a card`
