import { t } from '@lingui/core/macro'
import type { TransactionType } from './treasury.queries.ts'

interface Look {
  label: string
  color: string
  /** Which way the coins went, seen from the wallet. */
  sign: '+' | '−'
}

/** What a movement of coins is called, and how it looks. */
export const TRANSACTION_TYPES: Record<TransactionType, Look> = {
  earned: { label: t`Earned`, color: 'herb', sign: '+' },
  spent: { label: t`Spent`, color: 'beet', sign: '−' },
  withdrawn: { label: t`Withdrawn`, color: 'clay', sign: '−' },
  refunded: { label: t`Refunded`, color: 'honey', sign: '+' },
}
