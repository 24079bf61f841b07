// Plans that are paid through the site, people with cards, and a Stripe double for the function `payments`.
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { addUser, type TestUser } from '../../../server/test/harness.ts'
import { type Asker, addPerson, confirmAge, type Person, signedInWith, statements } from '../people.ts'
import { sharePaid } from '../till.ts'
import { openHost } from './hosts.ts'
import { openStripeDouble, signedEvent } from './stripe-double.ts'

export const KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_1234567890',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1234567890',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_a_test',
}

/** After this many days a contract can no longer be withdrawn from: after 14, not counting the day of the contract. */
export const DAYS_TO_WITHDRAW = 15

/** Builds a call of the function as this user. */
export const as = (user: Pick<TestUser, 'accessToken'>, path: string, body: unknown = {}) => ({
  path,
  body: JSON.stringify(body),
  headers: { authorization: `Bearer ${user.accessToken}` },
})

export const cardsOf = async ({ client }: TestUser) =>
  (await client.from('payment_methods').select('id, brand, last4, exp_month, exp_year').order('chosen_at'))
    .data ?? []

export interface Guest extends TestUser {
  plan: string
  owner: Person
  request: string
}

/** Starts the function with these secrets, `count` times on one database, for any provider. */
export async function openPayments(hostName: string, secrets: Record<string, string>, count = 1) {
  const host = await openHost(hostName, 'payments', secrets)
  // Each worker reads the queue at most once a second; a test takes the worker that has been idle longest, so it need
  // not wait.
  const others = Array.from({ length: count - 1 }, () => host.beside(secrets))
  const workers = [host, ...(await Promise.all(others))]
  const { db } = host.server
  const { sql } = statements(db)
  const tick = async () => {
    const [next = host] = workers.splice(0, 1)
    workers.push(next)
    return (await next.call({ path: '/tick' })).json()
  }
  await tick()
  const user = async (name: string) => {
    const one = await addUser(host.server, `${name}${randomBytes(4).toString('hex')}@potluck.example`)
    await confirmAge(db, one.id)
    return one
  }
  const leave = ({ client, id }: TestUser, plan: string) =>
    client.from('subscription_members').delete().match({ subscription_id: plan, user_id: id }).throwOnError()
  const moveClock = (days: number) =>
    sql`update private.clock set ahead = ahead + make_interval(days => ${days})`
  /** Moves the site's clock ahead, and does the work that is then due. */
  const pass = async (days: number) => {
    await moveClock(days)
    await sql`select private.run_due_work()`
  }
  return {
    ...{ host, db, sql, tick, user },
    ask: async (one: TestUser, path: string, body?: unknown) => {
      const answer = await host.call(as(one, path, body))
      return (await answer.json()) as Record<string, string | null>
    },
    /** Creates a person who shares plans, and who acts as a client and in SQL. */
    async owner() {
      const one = await user('olivia')
      await one.client.rpc('declare_seller', { p_is_trader: false }).throwOnError()
      return { ...signedInWith(db, one, ['totp', 'password']), ...one }
    },
    /** Admits a person with a card to a plan; the person pays and gets access immediately. */
    async admit(member: TestUser, owner: Asker, plan: string) {
      const wanted = { subscription_id: plan, begins_at_once_at: new Date().toISOString() }
      const inserted = member.client.from('subscription_requests').insert(wanted).select('id').single()
      const asked = await inserted.throwOnError()
      await owner.sql`select approve_subscription_request(${asked.data?.id}, ${plan})`
      await tick()
      const [seat] = await sql<{
        id: string
        payment: string
      }>`select s.id, m.id as payment from private.seats as s
        join member_payments as m on m.seat_id = s.id where s.member_id = ${member.id}`
      await sql`update private.seats set access_given_at = private.now() where id = ${String(seat?.id)}`
      await sql`select private.begin_periods(${String(seat?.id)}::uuid)`
      return String(seat?.payment)
    },
    leave,
    ...{ moveClock, pass },
    /** Lets members leave after the time to withdraw: the owner earns the rest of the period. */
    async leaveLate(...members: (TestUser & { plan: string })[]) {
      await pass(DAYS_TO_WITHDRAW)
      for (const member of members) await leave(member, member.plan)
    },
    accountOf: async ({ id }: { id: string }) =>
      String(
        (await sql`select reference from private.connected_accounts where user_id = ${id}`)[0]?.reference,
      ),
    /** Sends an event as the provider would, this many times; each delivery must be accepted. */
    async hears(type: string, object: Record<string, unknown>, times = 1, account?: string): Promise<void> {
      const secret = KEYS.STRIPE_WEBHOOK_SECRET
      const webhook = await signedEvent(type, object, { secret, ...(account && { account }) })
      for (let said = 0; said < times; said += 1) expect((await host.call(webhook)).status).toBe(200)
    },
    /** Makes all jobs due, and runs them. */
    async hurry() {
      await sql`update private.payment_jobs set next_attempt_at = now(), last_error = coalesce(last_error, 'hurried')`
      return tick()
    },
    /** Checks that the books are correct, and returns what is outside, held and on its way. */
    async books() {
      expect(await sql`select * from private.check_books()`).toEqual([])
      const rows = await sql<{ kind: string; sum: number }>`select kind, sum(balance)::float8 as sum
        from private.ledger_accounts group by kind having sum(balance) <> 0`
      return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
    },
    told: async ({ id }: { id: string }) =>
      (await sql`select event from user_notifications where user_id = ${id}`).map(({ event }) => event),
    close: async () => {
      for (const worker of workers) if (worker !== host) await worker.close()
      await host.close()
    },
  }
}

/** Opens the stage with the double of Stripe. */
export async function openStage(hostName: string, count = 1, more: Record<string, string> = {}) {
  const stripe = await openStripeDouble(KEYS.STRIPE_WEBHOOK_SECRET)
  const payments = await openPayments(hostName, { ...KEYS, STRIPE_API_URL: stripe.url, ...more }, count)
  const { db, sql, ask, tick } = payments
  const things = (prefix: string) => [...stripe.things.values()].filter(({ id }) => id.startsWith(prefix))

  const stage = {
    ...payments,
    stripe,
    /** Saves a card: the setup is completed in Stripe's own form, and reported by the person on their return. */
    async saveCard(user: TestUser, method: string, teller = user) {
      const { setup } = await ask(user, '/setup')
      stripe.complete(setup ?? '', method)
      return ask(teller, '/cards', { setup })
    },
    /** Creates a person with a card of this behaviour, who asks for a place. */
    async guest({ card = 'works', coinsFirst = false, coins = 0 } = {}): Promise<Guest> {
      const user = await stage.user('mia')
      if (card) expect(await stage.saveCard(user, `pm_${card}_${user.id}`)).toEqual({ status: 'saved' })
      if (coins)
        await sql`select private.transfer('adjustment:' || ${user.id}, private.ledger_account('adjustments'),
          private.ledger_account('wallet', ${user.id}::uuid), ${coins}::numeric, 'adjustment')`
      const { id: plan, owner } = await sharePaid(await addPerson(db, 'Olivia'))
      const asked = {
        subscription_id: plan,
        coins_first: coinsFirst,
        begins_at_once_at: new Date().toISOString(),
      }
      const { data } = await user.client.from('subscription_requests').insert(asked).select('id').single()
      return { ...user, owner, plan, request: data?.id }
    },
    approve: ({ owner, request, plan }: Guest) =>
      owner.sql`select approve_subscription_request(${request}, ${plan})`,
    /** Admits the guest, and charges the first payment. */
    async seat(guest: Guest): Promise<string> {
      await stage.approve(guest)
      await tick()
      return stage.paymentOf(guest)
    },
    paymentOf: async ({ plan, client }: Guest): Promise<string> =>
      (await client.from('member_payments').select('id').eq('subscription_id', plan).single()).data?.id,
    payment: async (id: string) =>
      (
        await sql`select status, coins::float8 as coins, card::float8 as card, returned_share + returned_fee > 0 as returned
          from member_payments where id = ${id}`
      )[0],
    /** Stripe's objects for a payment: its intents, and their refunds. */
    intentsOf: (payment: string) => things('pi_').filter(({ metadata }) => metadata?.payment_id === payment),
    refundsOf: (payment: string) => {
      const intents = stage.intentsOf(payment).map(({ id }) => id)
      return things('re_').filter(({ payment_intent: of }) => intents.includes(of ?? ''))
    },
    /** Pays up to the bank's confirmation page; returns the intent that the page confirms. */
    async toTheBank(guest: Guest, payment: string): Promise<string> {
      return (await stage.ask(guest, '/pay', { payment })).redirectUrl?.split('/').at(-1) ?? ''
    },
    close: async () => {
      await payments.close()
      stripe.close()
    },
  }
  return stage
}
export type Stage = Awaited<ReturnType<typeof openStage>>
