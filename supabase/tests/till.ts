// Plans that are paid through the site, with a provider whose answers a test gives: SQL as the function `payments` calls it.
import type { Database } from '@potluck/server/db/database.ts'
import { type Asker, addPerson, type Person, statements } from './people.ts'
import { approve, ask, type SharedPlan } from './plans.ts'

interface Order {
  kind: 'charge' | 'refund' | 'remove-card'
  order: { period: string; intent: string | null; amountCents: number; id: string; isOver?: true }
}

/** Shares a plan that is paid through the site. */
export async function sharePaid<Owner extends Asker>(
  owner: Owner,
  catalogueId = 'netflix-premium',
  places = 4,
) {
  const [plan] = await owner.sql<{ id: string }>`insert into shared_subscriptions
    (catalogue_plan_id, owner_max_members, next_payment, settlement)
    values (${catalogueId}, ${places}, current_date + 30, 'potluck') returning id`
  return { id: plan?.id ?? '', owner }
}

/** Opens a site that takes payments. The database must be sheltered. */
export async function openTill(db: Database) {
  const { sql, run } = statements(db)
  await sql`select report_payment_provider('simulated', 'test', null)`

  const till = {
    /** Somebody with a card. */
    async payer(name: string): Promise<Person> {
      const person = await addPerson(db, name)
      await sql`select record_customer(${person.id}, ${`cus ${person.id}`})`
      await sql`select record_card(${`cus ${person.id}`}, ${`pm ${person.id}`}, 'visa', '4242', 12, 2040, true)`
      return person
    },
    share: sharePaid<Person>,
    /** Asks and is let in; nothing is paid yet, and access is given already unless it is not to be. */
    async enter(
      person: Person,
      plan: SharedPlan,
      { coinsFirst = false, access = true }: { coinsFirst?: boolean; access?: boolean } = {},
    ): Promise<void> {
      const request = await ask(db, person, plan)
      await sql`update subscription_requests set coins_first = ${coinsFirst} where id = ${request}`
      await approve(db, plan, request)
      if (access)
        await sql`update private.seats set access_given_at = private.now()
          where subscription_id = ${plan.id} and member_id = ${person.id} and ended_at is null`
    },
    /** Does what waits to be done at the provider, with this outcome of charges; answers how many charges there were. */
    async work(outcome: 'succeeded' | 'failed' | 'needs-action' = 'succeeded'): Promise<number> {
      const [taken] = await sql<{ jobs: Order[] }>`select take_payment_jobs('simulated', 1000) as jobs`
      let charges = 0
      for (const { kind, order } of taken?.jobs ?? []) {
        if (kind === 'refund') {
          await sql`select record_refund(${order.id}, ${`re ${order.id}`}, 'succeeded', null)`
        } else if (kind === 'charge') {
          charges++
          await sql`select record_intent(${order.period}, ${`pi ${order.period}`})`
          if (order.isOver) await till.report(order.period, 'canceled', 0)
          else await till.report(order.period, outcome, order.amountCents / 100)
        }
      }
      return charges
    },
    /** What the provider says of the charge of a period. */
    report: (period: string, outcome: string, amount: number) =>
      sql`select record_charge(${`pi ${period}`}, ${outcome}, ${outcome === 'succeeded' ? null : 'card_declined'}, ${amount}, 0, false)`,
    /** Lets days pass, a piece at a time, with all that they bring about. */
    async pass(time: string, outcome: 'succeeded' | 'failed' | 'needs-action' = 'succeeded'): Promise<void> {
      await sql`update private.clock set ahead = ahead + ${time}::interval`
      await till.due()
      await till.work(outcome)
    },
    /** All that time has brought about. */
    async due(): Promise<void> {
      for (let left = 1; left > 0; )
        left = Number((await sql<{ n: number }>`select private.run_due_work() as n`)[0]?.n)
      await sql`select private.seal_transfers()`
    },
    books: () => run('select * from private.check_books()'),
    failures: () => run('select last_error from private.seats where last_error is not null'),
    /** What a person has in coins. */
    coins: async ({ id }: Person) =>
      Number((await sql`select coin_balance from user_wallets where user_id = ${id}`)[0]?.coin_balance ?? 0),
    /** What the accounts of one kind hold together. */
    held: async (...kinds: string[]) =>
      Number(
        (
          await run(
            'select coalesce(sum(balance), 0) as held from private.ledger_accounts where kind = any ($1)',
            [`{${kinds.join(',')}}`],
          )
        )[0]?.held,
      ),
  }
  return till
}
