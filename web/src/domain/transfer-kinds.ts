import { t } from '@lingui/core/macro'

/** The names of transfers, by their kind in the ledger. */
export const TRANSFER_KINDS: Readonly<Record<string, string>> = {
  opening: t`Carried over`,
  payment: t`Payment`,
  'payment-returned': t`Payment returned`,
  earning: t`Earning`,
  fee: t`Fee`,
  refund: t`Refunded`,
  'refund-sent': t`Refund sent`,
  'refund-failed': t`Refund failed`,
  withdrawal: t`Withdrawal`,
  'withdrawal-returned': t`Withdrawal returned`,
  adjustment: t`Correction`,
  chargeback: t`Chargeback`,
  'chargeback-won': t`Chargeback won`,
  debt: t`Debt paid`,
  'given-up': t`Given up`,
  'handed-over': t`From a closed account`,
  cost: t`Cost of the provider`,
  account: t`Moved to own account`,
  'account-failed': t`Not accepted by own account`,
  payout: t`Paid out`,
  'payout-failed': t`Payout returned`,
}

/** The names of ledger accounts, by their kind. */
export const ACCOUNT_KINDS: Readonly<Record<string, string>> = {
  outside: t`Bank and provider`,
  held_share: t`Held share`,
  held_fee: t`Held fee`,
  wallet: t`Wallet`,
  connected: t`Own account`,
  refunds_due: t`Refunds on their way`,
  fees: t`Fees`,
  guarantee: t`Guarantee`,
  costs: t`Costs`,
  adjustments: t`Corrections`,
}

/** The name of a kind; a kind newer than this page keeps the ledger's own name. */
export const nameOf = (names: Readonly<Record<string, string>>, kind: string): string => names[kind] ?? kind
