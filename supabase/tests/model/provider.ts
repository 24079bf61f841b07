// A payment provider as a sequence of random answers: it charges and refunds, and what it says is heard at once, later,
// twice or never, until somebody asks again.
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

export function openProvider({ sql }: Pick<Asker, 'sql'>) {
  const intents = new Map<string, Intent>()
  const refunds = new Map<string, { cents: number; status: 'succeeded' | 'failed' }>()
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

  async function work({ job, kind, attempt, order }: Job, { outcome, heard }: Answer) {
    let tell = async () => {}
    if (kind === 'charge') {
      const id = order.intent ?? `pi_${++made}`
      await sql`select record_intent(${order.period}, ${id})`
      const known = intents.get(id)
      // What has succeeded is never charged again.
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
          cents: order.amountCents,
          status: outcome === 'failed' ? 'failed' : 'succeeded',
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
    /** Works what is due; whoever had a job before has been given up on. */
    async tick(answers: readonly Answer[]) {
      await sql`update private.payment_jobs set next_attempt_at = clock_timestamp() - interval '1 second', last_error = 'lost'`
      const [taken] = await sql<{ jobs: Job[] }>`select take_payment_jobs('simulated', 50) as jobs`
      for (const [turn, job] of (taken?.jobs ?? []).entries()) {
        const answer = answers[turn % answers.length]
        if (answer) await work(job, answer)
      }
    },
    /** Delivers what is on its way, the newest first. */
    async deliver() {
      for (const tell of unheard.splice(0).reverse()) await tell()
    },
    /** What it holds for us, in cents, and how often it has charged each period. */
    holds() {
      const charged = [...intents.values()].filter(({ status }) => status === 'succeeded')
      const back = [...refunds.values()].filter(({ status }) => status === 'succeeded')
      const sum = (of: readonly { cents: number }[]) => of.reduce((all, { cents }) => all + cents, 0)
      return { cents: sum(charged) - sum(back), payments: charged.map(({ period }) => period) }
    },
  }
}
