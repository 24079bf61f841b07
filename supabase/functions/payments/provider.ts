// The interface to a payment provider, or to our simulation of one.

/** What may still be open at the provider for a period that must not be charged any more. */
export interface OverOrder {
  isOver: true
  isUnderWay?: false
  payment: string
  intent: string
}

/** What the bank has been debiting for days: only the outcome is wanted. */
export interface UnderWayOrder {
  isUnderWay: true
  isOver?: false
  payment: string
  intent: string
}

/** Charges one period. The provider's id (`intent`) of a period never changes: it can succeed only once. */
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
  /** The first day on which a bank may debit it, as YYYY-MM-DD; null if it may at once. */
  debitOn: string | null
  /** The earliest time of the first attempt, in seconds since 1970: anything older does not belong to it. */
  since: number
  /** Counts how often the job was taken; above 1, the outcome of an earlier attempt may have been lost. */
  attempt: number
  /** The person is present and can be redirected to their bank. */
  onSession: boolean
}

export interface Outcome {
  /** `open`: nothing was tried. `processing`: the provider will report. `canceled`: it can never succeed. */
  status: 'open' | 'processing' | 'needs-action' | 'failed' | 'canceled' | 'succeeded'
  code: string | null
  /** The amount received, and the provider's fee. */
  amountCents: number
  costCents: number
  /** Where the person confirms the payment. */
  redirectUrl: string | null
  /** The day on which the bank is expected to debit it, as YYYY-MM-DD. */
  debitedOn?: string
  /** What was charged, by the provider's id: it may be something else than what was asked for last, if that answer was lost. */
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

/** What can be saved to pay with. Wallets give a card. */
export const METHODS = ['card', 'link', 'sepa_debit'] as const
export type Method = (typeof METHODS)[number]

/** A card, or what is charged like one: Link, or a bank account, with the reference of the mandate to debit it. */
export interface Card {
  customer: string
  method: string
  kind: Method
  brand: string | null
  last4: string | null
  expMonth: number | null
  expYear: number | null
  mandate: string | null
  /** Where its bank is, such as DE; null if the provider does not say. */
  country: string | null
  /** The same for the same card or bank account, whoever saves it; null if the provider gives none. */
  fingerprint: string | null
}

/** Sends what an owner has earned to their own account. */
export interface TransferOrder {
  id: string
  account: string
  amountCents: number
  currency: string
  /** The payment it was earned of, and the charge that paid it, if that paid all of it. */
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
  /** The fee in each of its balance transactions, below zero where one is returned. */
  costsCents: Record<string, number>
}

/** Our answer to a dispute, as text; what is not known is left out. */
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

/** An owner's own account: what it may do, and what the provider still asks for. */
export interface Account {
  reference: string
  canReceive: boolean
  canPayOut: boolean
  asked: string[]
  /** ISO 8601. */
  askedBy: string | null
}

/** From `since` until before `until`, in seconds since 1970. */
export interface Span {
  since: number
  until: number
}

/** A movement of a balance at the provider, after its fee. */
export interface Movement {
  id: string
  kind: string
  /** In ours: the charge it is about, or the transfer to an account. In an owner's: the transfer, its reversal or the payout. */
  intent: string | null
  cents: number
  /** In seconds since 1970. */
  at: number
}

interface Setup {
  id: string
  /** With this the provider's form on our page saves a card; null if the form is ours. */
  secret: string | null
}

export interface Accounts {
  /** Opens one for a person: its id. `country` is where they live (ISO 3166-1, alpha-2), if they have said so. */
  open(userId: string, email: string, country: string | null): Promise<string>
  lookUp(account: string): Promise<Account>
  /** The provider's page on which its owner says who they are, or changes that; it leads back to the site. */
  onboarding(account: string): Promise<string>
  /** The provider's page on which its owner sees what is in it. */
  dashboard(account: string): Promise<string>
  /** The provider's id of the transfer, or why it refuses for good. */
  send(order: TransferOrder): Promise<{ reference: string } | { reason: string }>
  takeBack(order: ReversalOrder): Promise<string>
}

export interface Provider {
  name: 'stripe' | 'simulated'
  mode: 'live' | 'test'
  publishableKey: string | null
  methods: readonly Method[]
  /** The creditor identifier of whoever debits bank accounts. */
  creditor: string | null
  /** The provider's id of a person: the one stored earlier (`known`), or a new one where the provider has no such customer. */
  customer(userId: string, known: string | null): Promise<string>
  setUp(userId: string, customer: string): Promise<Setup>
  /** The card it saved; undefined while there is none. */
  savedCard(setup: string): Promise<Card | undefined>
  removeCard(method: string): Promise<void>
  /** The id under which the period is charged: the existing one, or a new one; or why there will be none. Takes no money. */
  open(order: ChargeOrder): Promise<string | Outcome>
  charge(intent: string, order: ChargeOrder): Promise<Outcome>
  lookUp(intent: string): Promise<Outcome>
  /** Ensures that it cannot succeed any more, unless it already has. */
  close(intent: string): Promise<Outcome>
  /** `byHand`: what was given back of the same charge without us, where it may be why ours is refused. */
  refund(order: RefundOrder): Promise<RefundOutcome & { byHand?: RefundOutcome[] }>
  lookUpDispute(id: string): Promise<Dispute>
  /** Sends the answer to the bank, once; null, or why the provider refuses it for good. */
  answerDispute(answer: DisputeAnswer): Promise<string | null>
  /** Accounts of owners; null where the site does not use them. */
  accounts: Accounts | null
  /**
   * All that moved our balance there, or that of an owner's account, page by page, the newest first; but nothing put by, and of
   * ours nothing that came from our bank or went to it.
   */
  movements(span: Span, account?: string | null): AsyncIterable<{ movements: Movement[]; goesOn: boolean }>
}

/** Retrying the same request at the provider is pointless. */
export const failed = (code: string): Outcome => ({
  status: 'failed',
  code,
  amountCents: 0,
  costCents: 0,
  redirectUrl: null,
})
