// Works through the database's queue of payments: charges, refunds, cards to be removed, nightly comparisons. The database records each
// outcome once, however and however often it is reported.
import { callDatabase as call } from '../_shared/database.ts'
import type {
  Account,
  Accounts,
  ChargeOrder,
  Outcome,
  OverOrder,
  Provider,
  RefundOrder,
  RefundOutcome,
  ReversalOrder,
  Span,
  TransferOrder,
} from './provider.ts'

type Job = { job: string; attempt: number } & (
  | { kind: 'charge'; order: ChargeOrder | OverOrder }
  | { kind: 'refund'; order: RefundOrder }
  | { kind: 'remove-card'; order: { method: string } }
  | { kind: 'reconcile'; order: Span & { day: string } }
  | { kind: 'transfer'; order: TransferOrder }
  | { kind: 'reversal'; order: ReversalOrder }
)

const AT_ONCE = 10
/** In milliseconds; hosted functions are stopped after 150 s. */
const LONGEST = 60_000

/** Takes jobs until none is due. */
export async function workOff(provider: Provider): Promise<{ done: number; put_off: number }> {
  const until = Date.now() + LONGEST
  const counts = { done: 0, put_off: 0 }
  let taken = AT_ONCE
  while (taken === AT_ONCE && Date.now() < until) {
    const jobs: Job[] = await call('take_payment_jobs', { p_provider: provider.name, p_limit: AT_ONCE })
    taken = jobs.length
    const outcomes = await Promise.all(jobs.map((job) => attempt(provider, job)))
    for (const outcome of outcomes) counts[outcome instanceof Error ? 'put_off' : 'done'] += 1
  }
  return counts
}

/** Charges one period immediately for the person waiting for it; undefined if another worker has the job. */
export async function chargeNow(provider: Provider, period: string): Promise<Outcome | undefined> {
  const [job]: Job[] = await call('take_payment_jobs', {
    p_provider: provider.name,
    p_limit: 1,
    p_payment_id: period,
  })
  if (job?.kind !== 'charge') return undefined
  const outcome = await attempt(provider, job)
  if (outcome instanceof Error) throw outcome
  return outcome
}

/** Does it, or records in the queue why not: it is retried later. */
async function attempt(provider: Provider, job: Job): Promise<Outcome | undefined | Error> {
  try {
    if (job.kind === 'charge') return await charge(provider, job.order)
    if (job.kind === 'refund') await refund(provider, job.order)
    else if (job.kind === 'reconcile') await reconcile(provider, job.order)
    else if (job.kind === 'transfer') await send(provider, job.order)
    else if (job.kind === 'reversal') await takeBack(provider, job.order)
    else await provider.removeCard(job.order.method)
    // The provider reports the result; if it does not, it is polled.
    await settle(job, null)
    return undefined
  } catch (error) {
    const { message } = error as Error
    await settle(job, message)
    return error as Error
  }
}

const settle = ({ job, attempt: taken }: Job, error: string | null) =>
  call('settle_payment_job', { p_job: job, p_attempt: taken, p_error: error })

async function refund(provider: Provider, order: RefundOrder): Promise<void> {
  const { byHand = [], ...outcome } = await provider.refund(order)
  for (const other of byHand) await recordRefund(null, other)
  await recordRefund(order.id, outcome)
}

async function send(provider: Provider, order: TransferOrder): Promise<void> {
  const sent = await accountsOf(provider).send(order)
  await call('record_account_transfer', {
    p_id: order.id,
    p_reference: 'reference' in sent ? sent.reference : null,
    p_reason: 'reason' in sent ? sent.reason : null,
  })
}

async function takeBack(provider: Provider, order: ReversalOrder): Promise<void> {
  const reference = await accountsOf(provider).takeBack(order)
  await call('record_account_reversal', { p_id: order.id, p_reference: reference })
}

/** What was queued while the site used accounts waits until it does again. */
function accountsOf({ accounts }: Provider): Accounts {
  if (!accounts) throw new Error('This site pays owners by bank transfer: STRIPE_CONNECT is not "on"')
  return accounts
}

/** False if the account is nobody's here. */
export const recordAccount = (account: Account): Promise<boolean> =>
  call('record_account', {
    p_reference: account.reference,
    p_can_receive: account.canReceive,
    p_can_pay_out: account.canPayOut,
    p_asked: account.asked,
    p_asked_by: account.askedBy,
  })

/** The database compares once it has the last page. */
async function reconcile(provider: Provider, { day, since, until }: Span & { day: string }): Promise<void> {
  for await (const { movements, goesOn } of provider.movements({ since, until }))
    await call('record_movements', { p_day: day, p_movements: movements, p_goes_on: goesOn })
}

async function charge(provider: Provider, order: ChargeOrder | OverOrder): Promise<Outcome> {
  const opened = order.intent ?? (order.isOver ? '' : await provider.open(order))
  if (typeof opened !== 'string') {
    await call('refuse_charge', { p_payment_id: order.period, p_code: opened.code })
    return opened
  }
  // The first id that was stored is the one that is charged, even if another worker has created one since.
  const intent: string =
    order.intent ?? (await call('record_intent', { p_payment_id: order.period, p_intent: opened }))
  const outcome = order.isOver ? await provider.close(intent) : await provider.charge(intent, order)
  await recordCharge(intent, outcome, false)
  return outcome
}

/** False if no charge of ours has this id. `isHeard`: reported from outside, not by the worker that charges. */
export const recordCharge = (intent: string, outcome: Outcome, isHeard = true): Promise<boolean> =>
  call('record_charge', {
    p_intent: intent,
    p_status: outcome.status,
    p_code: outcome.code,
    p_amount: outcome.amountCents / 100,
    p_cost: outcome.costCents / 100,
    p_is_heard: isHeard,
  })

/** By our own id or, if the provider does not know that, by its id. */
export const recordRefund = (id: string | null, outcome: RefundOutcome): Promise<boolean> =>
  call('record_refund', {
    p_refund: id,
    p_reference: outcome.reference,
    p_status: outcome.status,
    p_reason: outcome.reason,
    p_intent: outcome.intent,
    p_amount: outcome.amountCents / 100,
  })
