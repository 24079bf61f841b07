// Works through the database's queue of payment jobs: charges, refunds, transfers, answers to disputes, cards to be
// removed and comparisons, nightly and after a restore. The database records each outcome only once, however often it is reported.
import { callDatabase as call } from '../_shared/database.ts'
import type {
  Account,
  Accounts,
  ChargeOrder,
  Dispute,
  DisputeAnswer,
  Movement,
  Outcome,
  OverOrder,
  Provider,
  RefundOrder,
  RefundOutcome,
  ReversalOrder,
  Span,
  TransferOrder,
  UnderWayOrder,
} from './provider.ts'

type Handed = { job: string; attempt: number }
type ChargeJob = Handed & { kind: 'charge'; order: ChargeOrder | OverOrder | UnderWayOrder }
type OtherJob = Handed &
  (
    | { kind: 'refund'; order: RefundOrder }
    | { kind: 'remove-card'; order: { method: string } }
    | { kind: 'reconcile'; order: ComparisonOrder }
    | { kind: 'restore'; order: Span }
    | { kind: 'look-up'; order: { intent: string } }
    | { kind: 'transfer'; order: TransferOrder }
    | { kind: 'reversal'; order: ReversalOrder }
    | { kind: 'evidence'; order: DisputeAnswer }
  )

type Job = ChargeJob | OtherJob
type Done = Outcome | undefined | Error

/** An order to compare the site's balance at the provider, or that of an owner's account, with the database. */
interface ComparisonOrder extends Span {
  day: string
  account: string | null
}

/** How many jobs are leased, and their charges booked, together. AT_ONCE limits simultaneous provider requests. */
const BATCH = 250
const AT_ONCE = 25
/** The time in ms after which no further jobs are leased; hosted functions are stopped after 150 s. */
const LONGEST = 60_000
/**
 * The time in ms after its lease within which a job may begin; charges have twice this time. After two minutes, another
 * worker may lease the job again, and would repeat a request that it cannot find at the provider yet.
 */
const IN_TIME = 30_000

/** Works through jobs until none is due. */
export async function workOff(provider: Provider): Promise<{ done: number; put_off: number }> {
  const until = Date.now() + LONGEST
  const counts = { done: 0, put_off: 0 }
  let taken = BATCH
  while (taken === BATCH && Date.now() < until) {
    const begun = Date.now()
    const jobs: Job[] = await call('lease_payment_jobs', { p_provider: provider.name, p_limit: BATCH })
    taken = jobs.length
    const charges = jobs.filter((job) => job.kind === 'charge')
    const others = jobs.filter((job) => job.kind !== 'charge')
    const outcomes = [
      ...(await inTurns(others, (job) => attempt(job, () => work(provider, job), begun + IN_TIME))),
      ...(await chargeAll(provider, charges, begun + 2 * IN_TIME)),
    ]
    for (const outcome of outcomes) counts[outcome instanceof Error ? 'put_off' : 'done'] += 1
  }
  return counts
}

/** Charges one payment while the person waits for the outcome; returns undefined if another worker has the job. */
export async function chargeNow(provider: Provider, payment: string): Promise<Outcome | undefined> {
  const [job]: Job[] = await call('lease_payment_jobs', {
    p_provider: provider.name,
    p_limit: 1,
    p_payment_id: payment,
  })
  if (job?.kind !== 'charge') return undefined
  const [outcome] = await chargeAll(provider, [job], Date.now() + 2 * IN_TIME)
  if (outcome instanceof Error) throw outcome
  return outcome
}

/** Calls `one` for every item, at most AT_ONCE at a time; returns the results in the order of the items. */
async function inTurns<T, R>(all: readonly T[], one: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = all.entries()
  const worker = async () => {
    for (const [place, item] of rest) results[place] = await one(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

/** Carries out a job that is not a charge. */
async function work(provider: Provider, job: OtherJob): Promise<undefined> {
  if (job.kind === 'refund') await refund(provider, job.order)
  else if (job.kind === 'reconcile') await reconcile(provider, job.order)
  else if (job.kind === 'restore') await compareAfterRestore(provider, job.order)
  else if (job.kind === 'look-up') await lookUp(provider, job.order.intent)
  else if (job.kind === 'transfer') await send(provider, job.order)
  else if (job.kind === 'reversal') await takeBack(provider, job.order)
  else if (job.kind === 'evidence') await answer(provider, job.order)
  else await provider.removeCard(job.order.method)
  // This ends the job, unless it is a refund that the provider has not finished: that job is retried, to look up its
  // result.
  await settle(job, null)
}

/** Carries out a part of a job. If that fails, records the error in the queue, which retries the job later. */
async function attempt<R>(
  job: Job,
  part: () => Promise<R>,
  until = Number.POSITIVE_INFINITY,
): Promise<R | Error> {
  try {
    if (Date.now() > until) throw new Error('The provider is too slow')
    return await part()
  } catch (error) {
    const { message } = error as Error
    await settle(job, message)
    return error as Error
  }
}

const settle = ({ job, attempt: taken }: Handed, error: string | null) =>
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

async function answer(provider: Provider, order: DisputeAnswer): Promise<void> {
  const refusal = await provider.answerDispute(order)
  await call('record_dispute_answer', { p_dispute_id: order.id, p_refusal: refusal })
}

/** Returns the accounts. Throws if the site no longer uses them; jobs that need them are then retried later. */
function accountsOf({ accounts }: Provider): Accounts {
  if (!accounts) throw new Error('This site pays owners by bank transfer: STRIPE_CONNECT is not "on"')
  return accounts
}

/** Records an account's capabilities and what the provider asks for; returns false if the account is unknown here. */
export const recordAccount = (account: Account): Promise<boolean> =>
  call('record_account', {
    p_reference: account.reference,
    p_can_receive: account.canReceive,
    p_can_pay_out: account.canPayOut,
    p_asked: account.asked,
    p_asked_by: account.askedBy,
  })

/** Sends all movements to the database, which compares them after the last page. */
async function reconcile(provider: Provider, { day, account, since, until }: ComparisonOrder): Promise<void> {
  for await (const { movements, goesOn } of provider.movements({ since, until }, account)) {
    const p_movements = movements
    await call('record_movements', { p_day: day, p_movements, p_goes_on: goesOn, p_account: account })
  }
}

/** Compares everything that the database may lack since its backup, at once, because the nightly comparison comes later. */
async function compareAfterRestore(provider: Provider, span: Span): Promise<void> {
  const p_movements: Movement[] = []
  for await (const { movements } of provider.movements(span)) p_movements.push(...movements)
  await call('compare_after_restore', { p_movements })
}

/** Records a charge, its refunds and its disputes as the provider's events would. */
async function lookUp(provider: Provider, intent: string): Promise<void> {
  await recordCharge(intent, await provider.lookUp(intent))
  for (const { id, outcome } of await provider.refundsOf(intent)) await recordRefund(id, outcome)
  for (const dispute of await provider.disputesOf(intent)) await recordDispute(dispute)
}

/** Charges payments. Stores the ids of all charges before confirming the first; books simple successes together. */
async function chargeAll(provider: Provider, jobs: readonly ChargeJob[], until: number): Promise<Done[]> {
  const opened = await inTurns(jobs, (job) => attempt(job, () => open(provider, job.order), until))
  const ids = jobs.flatMap(({ order }, place) => {
    const id = opened[place]
    return typeof id === 'string' ? [[order.payment, id]] : []
  })
  // The charge whose id was stored first is used, even if another worker has created a charge since.
  const intents: Record<string, string> = ids.length
    ? await call('record_intents', { p_intents: Object.fromEntries(ids) })
    : {}
  const done = await inTurns([...jobs.entries()], async ([place, job]): Promise<Done> => {
    const { order } = job
    const id = opened[place]
    if (typeof id !== 'string') return id
    const intent = intents[order.payment] ?? id
    return attempt(job, () => ask(provider, intent, order), until)
  })
  await book(jobs, done, intents)
  return done
}

/** Opens a charge at the provider and returns its id. If the provider refuses, records and returns the refusal. */
async function open(provider: Provider, order: ChargeJob['order']): Promise<string | Outcome> {
  const isOpen = order.isOver || order.isUnderWay
  const id = isOpen ? order.intent : (order.intent ?? (await provider.open(order)))
  if (typeof id !== 'string') await call('refuse_charge', { p_payment_id: order.payment, p_code: id.code })
  return id
}

function ask(provider: Provider, intent: string, order: ChargeJob['order']): Promise<Outcome> {
  if (order.isUnderWay) return provider.lookUp(intent)
  return order.isOver ? provider.close(intent) : provider.charge(intent, order)
}

async function book(
  jobs: readonly ChargeJob[],
  done: Done[],
  intents: Record<string, string>,
): Promise<void> {
  const outcomes = jobs.flatMap((job, place) => {
    const outcome = done[place]
    const intent = intents[job.order.payment]
    return intent !== undefined && outcome && !(outcome instanceof Error)
      ? [{ job, place, reported: report(intent, outcome, job.order.isUnderWay === true) }]
      : []
  })
  const batch = outcomes.map(({ reported }) => reported)
  // If the database refuses one of several, each is recorded by itself, so that the job at fault keeps the error.
  const left = batch.length > 1 ? await record(batch).catch(() => undefined) : undefined
  await inTurns(outcomes, async ({ job, place, reported }) => {
    if (left && !left.includes(reported.intent)) return
    const booked = await attempt(job, () => record([reported]))
    if (booked instanceof Error) done[place] = booked
  })
}

/**
 * An outcome in EUR. `isHeard` says that it was reported or looked up, rather than returned to the worker that made the
 * charge.
 */
const report = (intent: string, outcome: Outcome, isHeard: boolean) => ({
  ...{ intent, status: outcome.status, code: outcome.code, isHeard },
  ...{ amount: outcome.amountCents / 100, cost: outcome.costCents / 100 },
  ...{ day: outcome.debitedOn ?? null, method: outcome.method ?? null },
})

/**
 * Records outcomes of charges; returns the ids of those that were not recorded: of several, those that must be recorded
 * alone, and of one, an unknown id.
 */
const record = (outcomes: ReturnType<typeof report>[]): Promise<string[]> =>
  call('record_charges', { p_outcomes: outcomes })

/** Records the outcome of a charge that was reported or looked up; returns false if the id is unknown. */
export const recordCharge = async (intent: string, outcome: Outcome): Promise<boolean> =>
  (await record([report(intent, outcome, true)])).length === 0

/** Records a refund by our own id or, if the provider does not know that, by the provider's id. */
export const recordRefund = (id: string | null, outcome: RefundOutcome): Promise<boolean> =>
  call('record_refund', {
    p_refund: id,
    p_reference: outcome.reference,
    p_status: outcome.status,
    p_reason: outcome.reason,
    p_intent: outcome.intent,
    p_amount: outcome.amountCents / 100,
  })

/** Records the status of a dispute; returns false if its charge is unknown. */
export const recordDispute = (dispute: Dispute): Promise<boolean> =>
  call('record_dispute', {
    p_reference: dispute.reference,
    p_intent: dispute.intent,
    p_amount: dispute.amountCents / 100,
    p_status: dispute.status,
    p_reason: dispute.reason,
    p_due_by: dispute.dueBy,
    p_costs: Object.fromEntries(Object.entries(dispute.costsCents).map(([id, cents]) => [id, cents / 100])),
  })
