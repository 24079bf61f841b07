// A plan that is paid through the site, people with cards, and Stripe's stand-in beside the function `payments`.
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { addUser, type TestUser } from '../../../server/test/harness.ts'
import { addPerson, type Person, statements } from '../people.ts'
import { type Host, openHost } from './hosts.ts'
import { openStripeDouble } from './stripe-double.ts'

const SECRET = 'whsec_of_a_test'
const KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_1234567890',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1234567890',
  STRIPE_WEBHOOK_SECRET: SECRET,
}

/** A call of the function as somebody. */
const as = (user: Pick<TestUser, 'accessToken'>, path: string, body: unknown = {}) => ({
  path,
  body: JSON.stringify(body),
  headers: { authorization: `Bearer ${user.accessToken}` },
})

export interface Seated extends TestUser {
  plan: string
  owner: Person
}

export async function openStage(hostName: string) {
  const stripe = await openStripeDouble(SECRET)
  const host: Host = await openHost(hostName, 'payments', { ...KEYS, STRIPE_API_URL: stripe.url })
  const { db } = host.server
  const { sql } = statements(db)
  const ask = async (user: TestUser, path: string, body?: unknown) => {
    const answer = await host.call(as(user, path, body))
    return (await answer.json()) as Record<string, string | null>
  }
  const tick = async () => (await host.call({ path: '/tick' })).json()
  await tick()

  return {
    ...{ host, stripe, db, sql, ask, tick },
    /** Somebody with a card that behaves like this, who asks for a place. */
    async guest({
      card = 'works',
      coinsFirst = false,
      coins = 0,
    } = {}): Promise<Seated & { request: string }> {
      const name = `mia${randomBytes(4).toString('hex')}`
      const user = await addUser(host.server, `${name}@potluck.example`)
      if (card) {
        const { setup } = await ask(user, '/setup')
        stripe.complete(setup ?? '', `pm_${card}_${name}`)
        expect(await ask(user, '/cards', { setup })).toEqual({ status: 'saved' })
      }
      if (coins)
        await sql`select private.transfer('start:' || ${user.id}, private.ledger_account('adjustments'),
          private.ledger_account('wallet', ${user.id}::uuid), ${coins}::numeric, 'adjustment')`
      const owner = await addPerson(db, 'Olivia')
      const [plan] = await owner.sql<{ id: string }>`insert into shared_subscriptions
        (catalogue_plan_id, owner_max_members, next_payment, settlement) values ('netflix-premium', 4, current_date + 30, 'potluck')
        returning id`
      const { data } = await user.client
        .from('subscription_requests')
        .insert({ subscription_id: plan?.id, coins_first: coinsFirst })
        .select('id')
        .single()
      return { ...user, owner, plan: plan?.id ?? '', request: data?.id }
    },
    /** Lets them in, and has the first period charged. */
    async seat(guest: Seated & { request: string }): Promise<string> {
      await guest.owner.sql`select approve_subscription_request(${guest.request}, ${guest.plan})`
      await tick()
      return this.paymentOf(guest)
    },
    paymentOf: async ({ plan, client }: Seated): Promise<string> =>
      (await client.from('member_payments').select('id').eq('subscription_id', plan).single()).data?.id,
    async payment(id: string) {
      const [row] =
        await sql`select status, coins::float8 as coins, card::float8 as card, returned_share + returned_fee > 0 as returned
        from member_payments where id = ${id}`
      return row
    },
    /** What waits for its turn has it. */
    hurry: () =>
      sql`update private.payment_jobs set next_attempt_at = now(), last_error = coalesce(last_error, 'hurried')`,
    /** Nothing is wrong with the books, and this is what is outside, held and on its way. */
    async books() {
      expect(await sql`select * from private.check_books()`).toEqual([])
      const rows = await sql<{ kind: string; sum: number }>`select kind, sum(balance)::float8 as sum
        from private.ledger_accounts group by kind having sum(balance) <> 0`
      return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
    },
    intents: () => [...stripe.things.values()].filter(({ id }) => id.startsWith('pi_')),
    toldOf: async ({ id }: { id: string }) =>
      (
        await sql<{
          event: string
        }>`select event from user_notifications where user_id = ${id} and event is not null order by created_at`
      ).map(({ event }) => event),
    close: async () => {
      await host.close()
      stripe.close()
    },
  }
}
export type Stage = Awaited<ReturnType<typeof openStage>>
