// The interface to a payment provider, or to our simulation of one.

/** An order to close a charge, which may still be open although its payment must no longer be charged. */
export interface OverOrder {
  isOver: true
  isUnderWay?: false
  payment: string
  intent: string
}

/** An order to look up the outcome of a debit that has been under way at the bank for days. */
export interface UnderWayOrder {
  isUnderWay: true
  isOver?: false
  payment: string
  intent: string
}

/** An order to charge one payment. All attempts use one charge at the provider (`intent`), so only one can succeed. */
export interface ChargeOrder {
  isOver?: false
  isUnderWay?: false
  /** The id of the row in member_payments. */
  payment: string
  /** The place and the number of the period, which identify the payment even if its row is lost; absent for a debt. */
  seat?: string
  period?: number
  intent: string | null
  amountCents: number
  currency: string
  customer: string
  method: string
  description: string
  /** The first day on which the bank may debit the account, as YYYY-MM-DD; null if it may do so immediately. */
  debitOn: string | null
  /** The earliest possible time of the first attempt, in seconds since 1970. Older charges belong to other payments. */
  since: number
  /** How often the job has been leased. Above 1, the outcome of an earlier attempt may have been lost. */
  attempt: number
  /** Whether the person is present and can be redirected to their bank. */
  onSession: boolean
}

export interface Outcome {
  /** `open`: no attempt yet. `processing`: the provider will report. `canceled`: the charge can never succeed. */
  status: 'open' | 'processing' | 'needs-action' | 'failed' | 'canceled' | 'succeeded'
  code: string | null
  /** The amount received; `costCents` is the provider's fee. */
  amountCents: number
  costCents: number
  /** The URL of the page on which the person confirms the payment. */
  redirectUrl: string | null
  /** The day on which the bank is expected to debit the account, as YYYY-MM-DD. */
  debitedOn?: string
  /** The provider's id of the charged method, which may be that of an earlier attempt whose answer was lost. */
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

/** Kinds of payment methods that people can save. Digital wallets count as cards. */
export const METHODS = ['card', 'link', 'sepa_debit'] as const
export type Method = (typeof METHODS)[number]

/** A saved payment method: a card, Link, or a bank account, which has the reference of the mandate to debit it. */
export interface Card {
  customer: string
  method: string
  kind: Method
  brand: string | null
  last4: string | null
  expMonth: number | null
  expYear: number | null
  mandate: string | null
  /** The country of its bank, such as DE; null if the provider does not say. */
  country: string | null
  /** The same for a card or bank account that several people have saved; null if the provider gives none. */
  fingerprint: string | null
}

/** An order to send an owner's earnings to their own account. */
export interface TransferOrder {
  id: string
  account: string
  amountCents: number
  currency: string
  /** `group`: the payment that brought these earnings. `intent`: its charge, if that covered the whole payment. */
  group: string | null
  intent: string | null
  since: number
  attempt: number
}

/** An order to take back a part of a transfer. */
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
  /** The deadline for an answer by staff. */
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

/** An owner's own account: its capabilities, and the details that the provider still asks for. */
export interface Account {
  reference: string
  canReceive: boolean
  canPayOut: boolean
  asked: string[]
  /** The deadline for these details, in ISO 8601. */
  askedBy: string | null
}

/** The time from `since` up to, but not including, `until`, in seconds since 1970. */
export interface Span {
  since: number
  until: number
}

/** A movement of a balance at the provider. The amount is what remains after the provider's fee. */
export interface Movement {
  id: string
  kind: string
  /**
   * The cause of the movement. In our balance: the charge, or the transfer to an account. In an owner's balance: the
   * transfer, the reversed transfer or the payout.
   */
  intent: string | null
  cents: number
  /** The time of the movement, in seconds since 1970. */
  at: number
  /** What a charge of our balance says about itself; absent for all other movements. */
  charge?: ChargeNames
}

/** The amount that a charge took, and which payment it was for, as text that another site may have written. */
export interface ChargeNames {
  cents: number
  payment: string | null
  seat: string | null
  period: string | null
}

interface Setup {
  id: string
  /** The secret for the provider's form on our page; null if the form is our own. */
  secret: string | null
}

export interface Accounts {
  /**
   * Opens an account for a person and returns its id. `country` is where they live (ISO 3166-1, alpha-2), if they have
   * said so.
   */
  open(userId: string, email: string, country: string | null): Promise<string>
  lookUp(account: string): Promise<Account>
  /** Returns the URL of the provider's page on which owners prove who they are; it leads back to the site. */
  onboarding(account: string): Promise<string>
  /** Returns the URL of the provider's page about the account's balance and payouts. */
  dashboard(account: string): Promise<string>
  /** Sends a transfer. Returns the provider's id of the transfer, or the provider's reason for a final refusal. */
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
  /** Returns the provider's id of a person: the stored id (`known`), or a new one if that customer does not exist. */
  customer(userId: string, known: string | null): Promise<string>
  setUp(userId: string, customer: string): Promise<Setup>
  /** Returns the card that the setup saved; undefined as long as there is none. */
  savedCard(setup: string): Promise<Card | undefined>
  removeCard(method: string): Promise<void>
  /** Finds or creates the charge of a payment, without taking money. Returns its id, or why there is none. */
  open(order: ChargeOrder): Promise<string | Outcome>
  charge(intent: string, order: ChargeOrder): Promise<Outcome>
  lookUp(intent: string): Promise<Outcome>
  /** Ensures that the charge can no longer succeed, unless it already has. */
  close(intent: string): Promise<Outcome>
  /** `byHand`: refunds of the same charge that were made without us, if they may be why this refund was refused. */
  refund(order: RefundOrder): Promise<RefundOutcome & { byHand?: RefundOutcome[] }>
  /** Returns the refunds of a charge, each with our id of it; null if it was made without us. */
  refundsOf(intent: string): Promise<{ id: string | null; outcome: RefundOutcome }[]>
  disputesOf(intent: string): Promise<Dispute[]>
  lookUpDispute(id: string): Promise<Dispute>
  /** Sends the answer to the bank, once; returns null, or the provider's reason for a final refusal. */
  answerDispute(answer: DisputeAnswer): Promise<string | null>
  /** The accounts of owners; null if the site does not use them. */
  accounts: Accounts | null
  /**
   * Yields all movements of our balance at the provider, or of an owner's account, page by page, the newest first.
   * Movements to and from reserves are left out; for our balance, so are movements between it and our bank.
   */
  movements(span: Span, account?: string | null): AsyncIterable<{ movements: Movement[]; goesOn: boolean }>
}

/** Returns the outcome of a charge that has failed. Retrying the same request at the provider is pointless. */
export const failed = (code: string): Outcome => ({
  status: 'failed',
  code,
  amountCents: 0,
  costCents: 0,
  redirectUrl: null,
})
