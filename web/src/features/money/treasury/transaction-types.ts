import type { TransactionType } from './treasury.queries.ts'

interface Look {
  label: string
  color: string
  /** Which way the coins went, seen from the wallet. */
  sign: '+' | '−'
}

/** What a movement of coins is called, and how it looks. */
export const TRANSACTION_TYPES: Record<TransactionType, Look> = {
  earned: { label: 'Earned', color: 'herb', sign: '+' },
  spent: { label: 'Spent', color: 'beet', sign: '−' },
  withdrawn: { label: 'Withdrawn', color: 'clay', sign: '−' },
  refunded: { label: 'Refunded', color: 'honey', sign: '+' },
}
