/** What a movement of money is called, by its kind in the ledger. */
export const TRANSFER_KINDS: Readonly<Record<string, string>> = {
  opening: 'Carried over',
  payment: 'Payment',
  'payment-returned': 'Payment returned',
  earning: 'Earning',
  fee: 'Fee',
  refund: 'Given back',
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

/** Where money is, by the kind of the account. */
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

/** The name of a kind; one that this page is too old to know by what the ledger calls it. */
export const nameOf = (names: Readonly<Record<string, string>>, kind: string): string => names[kind] ?? kind
