// Plans paid through the site, with a provider whose answers the test sets: SQL as the function `payments` calls it.
import type { Database } from '@potluck/server/db/database.ts'
import { single } from './answers.ts'
import { type Asker, addPerson, type Person, statements } from './people.ts'
import { approve, ask, type SharedPlan } from './plans.ts'

interface Order {
  kind: 'charge' | 'refund' | 'remove-card'
  order: { payment: string; intent: string | null; amountCents: number; id: string; isOver?: true }
}

type Outcome = 'succeeded' | 'failed' | 'needs-action' | 'processing'

/** Records the outcome of a charge as the function `payments` does; returns the ids that were not recorded. `amount` is in EUR. */
export const recordCharge = (
  sql: Asker['sql'],
  outcome: {
    intent: string
    status: string
    code?: string | null
    amount: number | null
    cost?: number
    method?: string
    isHeard?: boolean
  },
): Promise<string[]> =>
  single(sql`select record_charges(${JSON.stringify([{ cost: 0, ...outcome }])}::jsonb)`)

export async function sharePaid<Owner extends Asker>(
  owner: Owner,
  catalogueId = 'netflix-premium',
  places = 4,
) {
  const id = await single(owner.sql`insert into shared_subscriptions
    (catalogue_plan_id, owner_max_members, next_payment, settlement)
    values (${catalogueId}, ${places}, current_date + 30, 'potluck') returning id`)
  return { id, owner }
}

/** Opens a site that takes payments. The database must be sheltered. */
export async function openTill(db: Database) {
  const { sql, run } = statements(db)
  await sql`select report_payment_provider('simulated', 'test', null)`

  const till = {
    /** Creates a person with a card. */
    async payer(name: string): Promise<Person> {
      const person = await addPerson(db, name)
      await sql`select record_customer(${person.id}, ${`cus ${person.id}`})`
      await sql`select record_card(${`cus ${person.id}`}, ${`pm ${person.id}`}, 'visa', '4242', 12, 2040, true)`
      return person
    },
    share: sharePaid<Person>,
    /** Asks for a place and is approved; nothing is paid yet, and access is given unless `access` is false. */
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
    /** Works through the provider's jobs, with this outcome for charges; returns the number of charges. */
    async work(outcome: Outcome = 'succeeded', code = 'card_declined'): Promise<number> {
      const jobs = await single<Order[]>(sql`select lease_payment_jobs('simulated', 1000)`)
      let charges = 0
      for (const { kind, order } of jobs) {
        if (kind === 'refund') {
          await sql`select record_refund(${order.id}, ${`re ${order.id}`}, 'succeeded', null)`
        } else if (kind === 'charge') {
          charges++
          await sql`select record_intents(jsonb_build_object(${order.payment}::text, ${`pi ${order.payment}`}::text))`
          if (order.isOver) await till.report(order.payment, 'canceled', 0)
          else await till.report(order.payment, outcome, order.amountCents / 100, code)
        }
      }
      return charges
    },
    /** Reports the outcome of a payment's charge, as the provider would. */
    report: (payment: string, status: string, amount: number, code: string | null = 'card_declined') =>
      recordCharge(sql, {
        intent: `pi ${payment}`,
        status,
        code: status === 'succeeded' ? null : code,
        amount,
      }),
    /** Moves the site's clock forward in one step, then does all due work; charges have this outcome. */
    async pass(time: string, outcome: Outcome = 'succeeded'): Promise<void> {
      await sql`update private.clock set ahead = ahead + ${time}::interval`
      await till.due()
      await till.work(outcome)
    },
    async due(): Promise<void> {
      for (let left = 1; left > 0; ) left = await single<number>(sql`select private.run_due_work()`)
      await sql`select private.seal_transfers()`
      for (let left = 1; left > 0; ) left = await single<number>(sql`select private.make_invoices()`)
    },
    books: () => run('select * from private.check_books()'),
    failures: () => run('select last_error from private.seats where last_error is not null'),
    coins: async ({ id }: Person) =>
      Number((await single(sql`select coin_balance from user_wallets where user_id = ${id}`)) ?? 0),
    /** Returns the total balance of the accounts of these kinds. */
    held: async (...kinds: string[]) =>
      Number(
        await single(sql`select coalesce(sum(balance), 0) from private.ledger_accounts
          where kind = any (${`{${kinds.join(',')}}`})`),
      ),
  }
  return till
}
