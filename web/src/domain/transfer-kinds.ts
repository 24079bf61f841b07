/** The names of transfers, by their kind in the ledger. */
export const TRANSFER_KINDS: Readonly<Record<string, string>> = {
  opening: 'Carried over',
  payment: 'Payment',
  'payment-returned': 'Payment returned',
  earning: 'Earning',
  fee: 'Fee',
  refund: 'Refunded',
  'refund-sent': 'Refund sent',
  'refund-failed': 'Refund failed',
  withdrawal: 'Withdrawal',
  'withdrawal-returned': 'Withdrawal returned',
  adjustment: 'Correction',
  chargeback: 'Chargeback',
  'chargeback-won': 'Chargeback won',
  'given-up': 'Given up',
  'handed-over': 'From a closed account',
  cost: 'Cost of the provider',
}

/** The names of accounts, by their kind. */
export const ACCOUNT_KINDS: Readonly<Record<string, string>> = {
  outside: 'Bank and provider',
  held_share: 'Held share',
  held_fee: 'Held fee',
  wallet: 'Wallet',
  refunds_due: 'Refunds on their way',
  fees: 'Fees',
  guarantee: 'Guarantee',
  costs: 'Costs',
  adjustments: 'Corrections',
}

/** The name of a kind. A kind that is newer than this page has the ledger's own name. */
export const nameOf = (names: Readonly<Record<string, string>>, kind: string): string => names[kind] ?? kind
