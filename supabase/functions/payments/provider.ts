// The interface to a payment provider, or to our simulation of one.

/** Asks the provider to close a charge that may be open for a payment that must not be charged any more. */
export interface OverOrder {
  isOver: true
  isUnderWay?: false
  payment: string
  intent: string
}

/** Asks for the outcome of a debit that has been under way at the bank for days. */
export interface UnderWayOrder {
  isUnderWay: true
  isOver?: false
  payment: string
  intent: string
}

/** Charges one payment. A payment's id at the provider (`intent`) never changes, so it can succeed only once. */
export interface ChargeOrder {
  isOver?: false
  isUnderWay?: false
  /** The id of the row in member_payments. */
  payment: string
  intent: string | null
  amountCents: number
  currency: string
  customer: string
  method: string
  description: string
  /** The first day on which the bank may debit the account, as YYYY-MM-DD; null for at once. */
  debitOn: string | null
  /** The earliest time of the first attempt, in seconds since 1970: anything older belongs to another charge. */
  since: number
  /** Counts how often the job was taken; above 1, the outcome of an earlier attempt may have been lost. */
  attempt: number
  /** The person is present and can be redirected to their bank. */
  onSession: boolean
}

export interface Outcome {
  /** `open`: nothing was tried. `processing`: the provider will report. `canceled`: the charge can never succeed. */
  status: 'open' | 'processing' | 'needs-action' | 'failed' | 'canceled' | 'succeeded'
  code: string | null
  /** The amount received, and the provider's fee. */
  amountCents: number
  costCents: number
  /** Where the person confirms the payment. */
  redirectUrl: string | null
  /** The day on which the bank is expected to debit the account, as YYYY-MM-DD. */
  debitedOn?: string
  /** The provider's id of the charged method: not that of the last order, if an earlier attempt's answer was lost. */
  method?: string
}

export interface RefundOrder {
  id: string
  intent: string
  amountCents: number
  attempt: number
}

export interface RefundOutcome {
  intent: string | null
  amountCents: number
  reference: string | null
  status: 'pending' | 'succeeded' | 'failed'
  reason: string | null
}

/** Kinds of payment methods that can be saved. Wallets count as cards. */
export const METHODS = ['card', 'link', 'sepa_debit'] as const
export type Method = (typeof METHODS)[number]

/** A saved payment method: a card, Link, or a bank account, with the reference of the mandate to debit it. */
export interface Card {
  customer: string
  method: string
  kind: Method
  brand: string | null
  last4: string | null
  expMonth: number | null
  expYear: number | null
  mandate: string | null
  /** Country of its bank, such as DE; null if the provider does not say. */
  country: string | null
  /** Equal for the same card or bank account of different people; null if the provider gives none. */
  fingerprint: string | null
}

/** Sends an owner's earnings to their own account. */
export interface TransferOrder {
  id: string
  account: string
  amountCents: number
  currency: string
  /** `group`: the payment that brought these earnings. `intent`: its charge, if the charge covered all of it. */
  group: string | null
  intent: string | null
  since: number
  attempt: number
}

/** Takes back a part of a transfer. */
export interface ReversalOrder {
  id: string
  transfer: string
  amountCents: number
  attempt: number
}

export interface Dispute {
  reference: string
  intent: string
  amountCents: number
  status: string
  reason: string
  /** Deadline for an answer by staff. */
  dueBy: string | null
  /** The fee in each balance transaction of the dispute, by the transaction's id; negative for a returned fee. */
  costsCents: Record<string, number>
}

/** Our answer to a dispute, as text; unknown fields are left out. */
export interface DisputeAnswer {
  id: string
  evidence: Partial<
    Record<
      | 'product_description'
      | 'customer_name'
      | 'customer_email_address'
      | 'service_date'
      | 'access_activity_log'
      | 'refund_policy_disclosure'
      | 'refund_refusal_explanation'
      | 'cancellation_policy_disclosure'
      | 'cancellation_rebuttal'
      | 'uncategorized_text',
      string
    >
  >
  attempt: number
}

/** An owner's own account: its capabilities, and details the provider still asks for. */
export interface Account {
  reference: string
  canReceive: boolean
  canPayOut: boolean
  asked: string[]
  /** ISO 8601. */
  askedBy: string | null
}

/** A time span from `since` until before `until`, in seconds since 1970. */
export interface Span {
  since: number
  until: number
}

/** A movement of a balance at the provider, after its fee. */
export interface Movement {
  id: string
  kind: string
  /**
   * The cause of the movement. In our balance: the charge, or the transfer to an account. In an owner's balance: the
   * transfer, the reversed transfer or the payout.
   */
  intent: string | null
  cents: number
  /** In seconds since 1970. */
  at: number
}

interface Setup {
  id: string
  /** The secret for the provider's form on our page; null if the form is ours. */
  secret: string | null
}

export interface Accounts {
  /**
   * Opens an account for a person and returns its id. `country` is where they live (ISO 3166-1, alpha-2), if they have
   * said so.
   */
  open(userId: string, email: string, country: string | null): Promise<string>
  lookUp(account: string): Promise<Account>
  /** The provider's page on which the owner proves their identity, or updates it; it leads back to the site. */
  onboarding(account: string): Promise<string>
  /** The provider's page about the account's balance and payouts. */
  dashboard(account: string): Promise<string>
  /** The provider's id of the transfer, or its reason for a final refusal. */
  send(order: TransferOrder): Promise<{ reference: string } | { reason: string }>
  takeBack(order: ReversalOrder): Promise<string>
}

export interface Provider {
  name: 'stripe' | 'simulated'
  mode: 'live' | 'test'
  publishableKey: string | null
  methods: readonly Method[]
  /** The creditor identifier for debits of bank accounts. */
  creditor: string | null
  /** The provider's id of a person: the stored one (`known`), or a new one if the provider has no such customer. */
  customer(userId: string, known: string | null): Promise<string>
  setUp(userId: string, customer: string): Promise<Setup>
  /** The card that the setup saved; undefined while there is none. */
  savedCard(setup: string): Promise<Card | undefined>
  removeCard(method: string): Promise<void>
  /** Finds or creates the payment's charge, without taking money. Returns its id, or the reason why there is none. */
  open(order: ChargeOrder): Promise<string | Outcome>
  charge(intent: string, order: ChargeOrder): Promise<Outcome>
  lookUp(intent: string): Promise<Outcome>
  /** Ensures that the charge cannot succeed any more, unless it already has. */
  close(intent: string): Promise<Outcome>
  /** `byHand`: refunds of the same charge made without us, if they may be the reason for a refusal. */
  refund(order: RefundOrder): Promise<RefundOutcome & { byHand?: RefundOutcome[] }>
  lookUpDispute(id: string): Promise<Dispute>
  /** Sends the answer to the bank, once; returns null, or the provider's reason for a final refusal. */
  answerDispute(answer: DisputeAnswer): Promise<string | null>
  /** Accounts of owners; null if the site does not use them. */
  accounts: Accounts | null
  /**
   * All movements of our balance at the provider, or of an owner's account, page by page, the newest first. Reserves
   * are left out, and for our balance also transfers between it and our bank.
   */
  movements(span: Span, account?: string | null): AsyncIterable<{ movements: Movement[]; goesOn: boolean }>
}

/** A failed outcome: retrying the same request at the provider is pointless. */
export const failed = (code: string): Outcome => ({
  status: 'failed',
  code,
  amountCents: 0,
  costCents: 0,
  redirectUrl: null,
})
