// Simulates a payment provider by a sequence of random outcomes: it charges, refunds, sends money to accounts and takes
// it back, and banks charge payments back. Its events arrive immediately, later, twice, or only when the provider is
// polled. It remembers its actions.
import type { Asker } from '../people.ts'
import { recordCharge } from '../till.ts'

export interface Answer {
  outcome: 'succeeded' | 'failed' | 'needs-action'
  heard: 'at once' | 'never' | 'later' | 'twice'
}
interface Job {
  job: string
  kind: 'charge' | 'refund' | 'remove-card' | 'transfer' | 'reversal'
  attempt: number
  order: {
    payment: string
    intent: string | null
    amountCents: number
    id: string
    isOver?: true
    account: string
    /** The reference of the transfer to take back. */
    transfer: string
  }
}
/** The provider's events, each about one action. */
export type News =
  | { what: 'charge'; payment: string; cents: number }
  | { what: 'refund'; id: string; payment: string; cents: number; isSent: boolean }
  | { what: 'dispute'; id: string; payment: string; cents: number; status: Dispute['status'] }
  | { what: 'transfer'; id: string; isSent: boolean }
  | { what: 'payout'; id: string; cents: number; status: string }
interface Intent {
  payment: string
  cents: number
  status: Answer['outcome'] | 'canceled'
}

interface Dispute {
  intent: string
  cents: number
  status: 'needs_response' | 'won' | 'lost'
}

const sum = (of: readonly { cents: number }[]) => of.reduce((all, { cents }) => all + cents, 0)
/** The number of ids that the provider has given out, in all lives. */
let made = 0
/** The provider's fee for each charge, in cents. */
export const COST = 31

/** `charges`: how events about charges arrive, regardless of other events. */
export function openProvider(
  { sql }: Pick<Asker, 'sql'>,
  tells: (news: News) => void = () => {},
  charges?: Answer['heard'],
) {
  const intents = new Map<string, Intent>()
  const refunds = new Map<string, { intent: string | null; cents: number; status: 'succeeded' | 'failed' }>()
  const disputes = new Map<string, Dispute>()
  const transfers = new Map<string, { account: string; cents: number; isSent: boolean }>()
  const reversals = new Map<string, { account: string; cents: number }>()
  const payouts = new Map<string, { account: string; cents: number; status: string }>()
  /** Accounts to which no money may be sent. */
  const stopped = new Set<string>()
  const unheard: (() => Promise<void>)[] = []

  const tellCharge = (id: string) => async () => {
    const intent = intents.get(id)
    if (!intent) throw new Error(`No intent ${id}`)
    const amount = intent.status === 'succeeded' ? intent.cents / 100 : null
    const code = intent.status === 'failed' ? 'card_declined' : null
    if (amount !== null) tells({ what: 'charge', payment: intent.payment, cents: intent.cents })
    await recordCharge(sql, { intent: id, status: intent.status, code, amount, cost: COST / 100 })
  }
  const paymentOf = (intent: string | null) => intents.get(intent ?? '')?.payment ?? ''
  const tellRefund = (id: string) => async () => {
    const { status, intent = null, cents = 0 } = refunds.get(id) ?? {}
    tells({ what: 'refund', id, payment: paymentOf(intent), cents, isSent: status === 'succeeded' })
    await sql`select record_refund(${id}, ${`re_${id}`}, ${status}, null)`
  }

  const tellDispute =
    (id: string, { intent, cents, status }: Dispute) =>
    async () => {
      tells({ what: 'dispute', id, payment: paymentOf(intent), cents, status })
      await sql`select record_dispute(${id}, ${intent}, ${cents / 100}::numeric, ${status}, 'fraudulent', null)`
    }
  const tellTransfer = (id: string, isSent: boolean) => async () => {
    tells({ what: 'transfer', id, isSent })
    await sql`select record_account_transfer(${id}, ${isSent ? `tr_${id}` : null}, ${isSent ? null : 'refused'})`
  }
  const tellPayout = (id: string) => async () => {
    const { account = '', cents = 0, status = '' } = payouts.get(id) ?? {}
    tells({ what: 'payout', id, cents, status })
    await sql`select record_account_payout(${account}, ${id}, ${cents / 100}::numeric, ${status}, null, null)`
  }
  /** The balance of an account, in cents. */
  const inAccount = (account: string) => {
    const of = <T extends { account: string; cents: number }>(all: Map<string, T>) =>
      [...all.values()].filter((one) => one.account === account)
    return (
      sum(of(transfers).filter(({ isSent }) => isSent)) -
      sum(of(reversals)) -
      sum(of(payouts).filter(({ status }) => status !== 'failed'))
    )
  }
  const disputeOf = (intent: string | null) =>
    [...disputes.values()].find((one) => one.intent === intent && one.status !== 'won')
  const backOf = (intent: string) =>
    [...refunds.values()].filter((one) => one.intent === intent && one.status === 'succeeded')

  async function work({ job, kind, attempt, order }: Job, { outcome, heard: answer }: Answer) {
    const heard = kind === 'charge' ? (charges ?? answer) : answer
    let tell = async () => {}
    if (kind === 'transfer') {
      const { account, amountCents: cents } = order
      const known = transfers.get(order.id)
      // After a refusal that may be temporary, the transfer is tried again.
      if (!known && outcome === 'needs-action') return
      const isSent = known?.isSent ?? (outcome === 'succeeded' && !stopped.has(account))
      if (!known) transfers.set(order.id, { account, cents, isSent })
      tell = tellTransfer(order.id, isSent)
    } else if (kind === 'reversal') {
      const sent = transfers.get(order.transfer.slice(3))
      if (!sent) throw new Error(`No transfer ${order.transfer}`)
      if (!reversals.has(order.id) && inAccount(sent.account) < order.amountCents) return
      reversals.set(order.id, { account: sent.account, cents: order.amountCents })
      tell = async () => void (await sql`select record_account_reversal(${order.id}, ${`trr_${order.id}`})`)
    } else if (kind === 'charge') {
      const id = order.intent ?? `pi_${++made}`
      await sql`select record_intents(jsonb_build_object(${order.payment}::text, ${id}::text))`
      const known = intents.get(id)
      // A successful charge is never charged again.
      if (known?.status !== 'succeeded')
        intents.set(id, {
          payment: order.payment,
          ...(order.isOver
            ? { cents: 0, status: 'canceled' }
            : { cents: order.amountCents, status: outcome }),
        })
      tell = tellCharge(id)
    } else if (kind === 'refund') {
      if (!refunds.has(order.id))
        refunds.set(order.id, {
          intent: order.intent,
          cents: order.amountCents,
          // Money that was charged back is not refunded again.
          status: outcome === 'failed' || disputeOf(order.intent) ? 'failed' : 'succeeded',
        })
      tell = tellRefund(order.id)
    }
    if (heard === 'never') return
    if (heard === 'later') unheard.push(tell)
    else {
      await tell()
      if (heard === 'twice') await Promise.all(Array.from({ length: 3 }, tell))
      await sql`select settle_payment_job(${job}, ${attempt}, null)`
    }
  }

  return {
    /** Works through due jobs, including those leased by workers that have given up. */
    async tick(answers: readonly Answer[]) {
      await sql`update private.payment_jobs set next_attempt_at = clock_timestamp() - interval '1 second', last_error = 'lost'`
      const [taken] = await sql<{ jobs: Job[] }>`select lease_payment_jobs('simulated', 200) as jobs`
      for (const [turn, job] of (taken?.jobs ?? []).entries()) {
        const answer = answers[turn % answers.length]
        if (answer) await work(job, answer)
      }
    },
    /** Charges back the rest of a charge or half of it, or lets the bank decide about a dispute. */
    async dispute(nth: number, status: Dispute['status'], { heard }: Answer) {
      const open = [...disputes].filter(([, one]) => one.status === 'needs_response')
      const left = [...intents].flatMap(([intent, { cents, status: charge }]) => {
        if (charge !== 'succeeded') return []
        const before = [...disputes.values()].filter((one) => one.intent === intent)
        const rest = cents - sum(backOf(intent)) - sum(before)
        return [{ intent, cents: nth % 2 ? rest : Math.ceil(rest / 2) }]
      })
      const some = left.filter(({ cents }) => cents > 0)
      const [id, known] = open[nth % open.length] ?? []
      const fresh = some[nth % some.length]
      const now = status === 'needs_response' ? fresh && { ...fresh, status } : known && { ...known, status }
      const name = status === 'needs_response' ? `dp_${++made}` : id
      if (!now || name === undefined) return
      disputes.set(name, now)
      const tell = tellDispute(name, now)
      if (heard === 'later' || heard === 'never') unheard.push(tell)
      else await tell()
      if (heard === 'twice') await Promise.all([tell(), tell()])
    },
    /** Pays out an account's balance, or lets a bank return a payout. */
    async payOut(account: string, nth: number, { heard }: Answer) {
      const paid = [...payouts].filter(([, one]) => one.account === account && one.status === 'paid')
      const [known, before] = paid[nth % (2 * paid.length || 1)] ?? []
      const id = known ?? `po_${++made}`
      const cents = before?.cents ?? inAccount(account)
      if (cents <= 0) return
      payouts.set(id, { account, cents, status: before ? 'failed' : 'paid' })
      if (heard === 'later' || heard === 'never') unheard.push(tellPayout(id))
      else await tellPayout(id)()
      if (heard === 'twice') await Promise.all([tellPayout(id)(), tellPayout(id)()])
    },
    /** Sets whether money may be sent to an account. */
    async setReady(account: string, isReady: boolean) {
      stopped[isReady ? 'delete' : 'add'](account)
      await sql`select record_account(${account}, ${isReady}, ${isReady}, '{}', null)`
    },
    inAccount,
    /** Delivers pending events, the newest first. */
    async deliver() {
      for (const tell of unheard.splice(0).reverse()) await tell()
    },
    /**
     * Returns the site's and the owners' balances at the provider, in cents, and the payment of each successful charge.
     */
    holds() {
      const charged = [...intents.values()].filter(({ status }) => status === 'succeeded')
      const back = [...refunds.values()].filter(({ status }) => status === 'succeeded')
      const taken = [...disputes.values()].filter(({ status }) => status !== 'won')
      const away = [...payouts.values()].filter(({ status }) => status !== 'failed')
      const cents = sum(charged) - COST * charged.length - sum(back) - sum(taken) - sum(away)
      return { cents, payments: charged.map(({ payment }) => payment) }
    },
  }
}
