import { t } from '@lingui/core/macro'
import type { TransactionType } from './treasury.queries.ts'

interface Look {
  label: string
  color: string
  /** `+` if the transaction adds coins to the wallet, `−` if it takes some. */
  sign: '+' | '−'
}

/** The label and look of each transaction type. */
export const TRANSACTION_TYPES: Record<TransactionType, Look> = {
  earned: { label: t`Earned`, color: 'herb', sign: '+' },
  spent: { label: t`Spent`, color: 'beet', sign: '−' },
  withdrawn: { label: t`Withdrawn`, color: 'clay', sign: '−' },
  refunded: { label: t`Refunded`, color: 'honey', sign: '+' },
}
