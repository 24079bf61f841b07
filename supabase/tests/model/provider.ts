// A payment provider as a sequence of random outcomes: it charges and refunds, and its events arrive at once, later,
// twice or never, until it is polled. Banks charge back.
import type { Asker } from '../people.ts'

export interface Answer {
  outcome: 'succeeded' | 'failed' | 'needs-action'
  heard: 'at once' | 'never' | 'later' | 'twice'
}
interface Job {
  job: string
  kind: 'charge' | 'refund' | 'remove-card'
  attempt: number
  order: { period: string; intent: string | null; amountCents: number; id: string; isOver?: true }
}
interface Intent {
  period: string
  cents: number
  status: Answer['outcome'] | 'canceled'
}

interface Dispute {
  intent: string
  cents: number
  status: 'needs_response' | 'won' | 'lost'
}

const sum = (of: readonly { cents: number }[]) => of.reduce((all, { cents }) => all + cents, 0)

export function openProvider({ sql }: Pick<Asker, 'sql'>) {
  const intents = new Map<string, Intent>()
  const refunds = new Map<string, { intent: string | null; cents: number; status: 'succeeded' | 'failed' }>()
  const disputes = new Map<string, Dispute>()
  const unheard: (() => Promise<void>)[] = []
  let made = 0

  const tellCharge = (id: string) => async () => {
    const intent = intents.get(id)
    if (!intent) throw new Error(`No intent ${id}`)
    const amount = intent.status === 'succeeded' ? intent.cents / 100 : null
    const code = intent.status === 'failed' ? 'card_declined' : null
    await sql`select record_charge(${id}, ${intent.status}, ${code}, ${amount}::numeric, 0, false)`
  }
  const tellRefund = (id: string) => async () => {
    const { status } = refunds.get(id) ?? {}
    await sql`select record_refund(${id}, ${`re_${id}`}, ${status}, null)`
  }

  const tellDispute =
    (id: string, { intent, cents, status }: Dispute) =>
    async () => {
      await sql`select record_dispute(${id}, ${intent}, ${cents / 100}::numeric, ${status}, 'fraudulent', null)`
    }
  const disputeOf = (intent: string | null) =>
    [...disputes.values()].find((one) => one.intent === intent && one.status !== 'won')
  const backOf = (intent: string) =>
    [...refunds.values()].filter((one) => one.intent === intent && one.status === 'succeeded')

  async function work({ job, kind, attempt, order }: Job, { outcome, heard }: Answer) {
    let tell = async () => {}
    if (kind === 'charge') {
      const id = order.intent ?? `pi_${++made}`
      await sql`select record_intent(${order.period}, ${id})`
      const known = intents.get(id)
      // A successful charge is never charged again.
      if (known?.status !== 'succeeded')
        intents.set(id, {
          period: order.period,
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
          // Money charged back is not refunded once more.
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
    /** Works through due jobs; their previous workers have been given up. */
    async tick(answers: readonly Answer[]) {
      await sql`update private.payment_jobs set next_attempt_at = clock_timestamp() - interval '1 second', last_error = 'lost'`
      const [taken] = await sql<{ jobs: Job[] }>`select take_payment_jobs('simulated', 50) as jobs`
      for (const [turn, job] of (taken?.jobs ?? []).entries()) {
        const answer = answers[turn % answers.length]
        if (answer) await work(job, answer)
      }
    },
    /** A cardholder charges back the rest of a charge or half of it, or the bank decides about a dispute. */
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
    /** Delivers pending events, the newest first. */
    async deliver() {
      for (const tell of unheard.splice(0).reverse()) await tell()
    },
    /** What it holds for us, in cents, and how often it has charged each period. */
    holds() {
      const charged = [...intents.values()].filter(({ status }) => status === 'succeeded')
      const back = [...refunds.values()].filter(({ status }) => status === 'succeeded')
      const taken = [...disputes.values()].filter(({ status }) => status !== 'won')
      return { cents: sum(charged) - sum(back) - sum(taken), payments: charged.map(({ period }) => period) }
    },
  }
}
