// What the function asks of whoever moves the money: a payment provider, or our simulation of one.

/** What may still be open at the provider of a period that is not to be charged any more. */
export interface OverOrder {
  isOver: true
  period: string
  intent: string
}

/** Charges one period. One provider's id (`intent`) belongs to each for good: it can succeed once only. */
export interface ChargeOrder {
  isOver?: false
  /** The id of the row in member_payments. */
  period: string
  intent: string | null
  amountCents: number
  currency: string
  customer: string
  method: string
  description: string
  /** When the first attempt may have been made, in seconds since 1970: what was made before is none of it. */
  since: number
  /** Counts every time somebody took the job; above 1, what an earlier one did may have gone unheard. */
  attempt: number
  /** The person is there and can be sent to a page of their bank. */
  onSession: boolean
}

export interface Outcome {
  /** `open`: nothing was tried. `processing`: the provider will tell. `canceled`: it can never succeed. */
  status: 'open' | 'processing' | 'needs-action' | 'failed' | 'canceled' | 'succeeded'
  code: string | null
  /** What was received, and what the provider keeps of it. */
  amountCents: number
  costCents: number
  /** Where the person confirms the payment. */
  redirectUrl: string | null
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

export interface Card {
  customer: string
  method: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

interface Setup {
  id: string
  /** Where the provider takes the card; null where the form is ours. */
  url: string | null
}

export interface Provider {
  name: 'stripe' | 'simulated'
  mode: 'live' | 'test'
  publishableKey: string | null
  /** The provider's name for a person; `known` is the one kept earlier. */
  customer(userId: string, known: string | null): Promise<string>
  setUp(userId: string, customer: string): Promise<Setup>
  /** The card that was saved by it; undefined while it has not been. */
  savedCard(setup: string): Promise<Card | undefined>
  removeCard(method: string): Promise<void>
  /** The id under which the period is charged: the one there is, or a new one; or why there will be none. Takes no money. */
  open(order: ChargeOrder): Promise<string | Outcome>
  charge(intent: string, order: ChargeOrder): Promise<Outcome>
  lookUp(intent: string): Promise<Outcome>
  /** Sees to it that it cannot succeed any more, unless it has. */
  close(intent: string): Promise<Outcome>
  /** `byHand`: what was given back of the same charge without us, where it may be why ours is refused. */
  refund(order: RefundOrder): Promise<RefundOutcome & { byHand?: RefundOutcome[] }>
}

/** Nothing more can come of asking the provider the same again. */
export const failed = (code: string): Outcome => ({
  status: 'failed',
  code,
  amountCents: 0,
  costCents: 0,
  redirectUrl: null,
})
