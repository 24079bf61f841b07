// Lives of an owner who is paid through their own account: members come, pay, leave and are removed, banks take
// payments back, the account is closed for a while and paid out; after each step every account of the ledger must have
// the balance that the calculator computes.
import type { Database } from '@potluck/server/db/database.ts'
import fc from 'fast-check'
import { expect } from 'vitest'
import { single } from '../answers.ts'
import { addPeople, addStaff, statements } from '../people.ts'
import { oddTaxFigures } from './audit.ts'
import { type Facts, openCalculator } from './calculator.ts'
import { type Answer, openProvider } from './provider.ts'
import { CERTAIN, REFUSALS } from './table.ts'

const PLANS = ['netflix-premium', 'dropbox-family-annual']
const FEES = [0.1, 0.055, 0, 0.2]
const MOVES =
  `join, settle in, settle in, settle in, settle in, tick, tick, tick, tick, pass, pass, pass, pass, jump, deliver, leave, leave at the end, remove,
  cancel, withdraw from contract, prefer coins, adjust, dispute, dispute, decide dispute, pay out, pay out, stop account, let account go on,
  let account go on, move coins`.split(/,\s+/)

const answer: fc.Arbitrary<Answer> = fc.record({
  outcome: fc.constantFrom(
    ...(['succeeded', 'succeeded', 'succeeded', 'succeeded', 'failed', 'needs-action'] as const),
  ),
  heard: fc.constantFrom(...(['at once', 'at once', 'never', 'later', 'twice'] as const)),
})
const life = fc.record({
  plan: fc.nat(PLANS.length - 1),
  fee: fc.nat(FEES.length - 1),
  steps: fc.array(
    fc.record({
      move: fc.constantFrom(...MOVES),
      who: fc.nat(2),
      yes: fc.boolean(),
      minutes: fc.integer({ min: 1, max: 10 * 24 * 60 }),
      cents: fc.integer({ min: -3000, max: 5000 }),
      answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 40, maxLength: 40 },
  ),
})
type Life = typeof life extends fc.Arbitrary<infer L> ? L : never

const MICROSECONDS = (time: string) => `(extract(epoch from ${time}) * 1000000)::bigint`
const FACTS = `select jsonb_build_object('now', ${MICROSECONDS('private.now()')},
  'seats', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'member', member_id, 'reason', end_reason, 'ended', ${MICROSECONDS('ended_at')},
    'isYearly', billing_cycle = 'yearly', 'share', (share * 100)::integer, 'rate', (fee_rate * 1000)::integer,
    'coinsFirst', coins_first)), '[]') from private.seats where owner_id = $1),
  'periods', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'seat', seat_id, 'number', number, 'status', status,
    'starts', ${MICROSECONDS('starts_at')}, 'ends', ${MICROSECONDS('ends_at')}, 'earned', ${MICROSECONDS('earned_until')})
    order by number), '[]') from member_payments where owner_id = $1),
  'transfers', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'payment', payment_id) order by created_at, id), '[]')
    from private.account_transfers where user_id = $1)) as facts`
const LEDGER = `select coalesce(jsonb_object_agg(kind || coalesce(' ' || owner, ''), (balance * 100)::bigint), '{}') as balances
  from private.ledger_accounts where balance <> 0
  and (owner is null or owner = any ($1::uuid[]) or owner in (select id from private.seats where owner_id = any ($1::uuid[])))`

/** Runs one life, and compares every account after each step. */
async function live(db: Database, { plan, fee, steps }: Life): Promise<void> {
  const { sql, run } = statements(db)
  const [olivia, ...members] = await addPeople(db, ['Olivia', 'Marc', 'Mia', 'Max'])
  const ada = await addStaff(db, 'Ada', 'admin')
  const people = `{${[olivia, ...members].map(({ id }) => id)}}`
  const ledger = () => single<Record<string, number>>(run(LEDGER, [people]))
  const account = `acct_${olivia.id}`
  // Deletes leftover jobs of an earlier life.
  await sql`delete from private.payment_jobs`
  await sql`update app_settings set fee_rate = ${FEES[fee]}`
  await sql`select register_account(${olivia.id}, ${account})`
  const calculator = openCalculator(olivia.id, await ledger())
  const provider = openProvider({ sql }, calculator.hear, 'at once')
  const setReady = async (isReady: boolean) => {
    await provider.setReady(account, isReady)
    calculator.setReady(isReady)
  }
  await setReady(true)
  for (const { id } of members) {
    await sql`select record_customer(${id}, ${`cus_${id}`})`
    await sql`select record_card(${`cus_${id}`}, ${`pm_${id}`}, 'visa', '4242', 12, 2040, true)`
  }
  const share = () =>
    single(olivia.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, settlement)
      values (${PLANS[plan]}, 4, current_date + 30, 'potluck') returning id`)
  let shared = await share()
  const pass = async (minutes: number) => {
    await sql`select private.move_clock(${minutes} * interval '1 minute')`
    for (let done = 1; done > 0; ) done = await single<number>(sql`select private.run_due_work()`)
  }
  const tick = async (answers: readonly Answer[]) => {
    calculator.begin()
    await provider.tick(answers)
  }

  async function take({ move, who, yes, minutes, cents, answers }: Life['steps'][number]): Promise<unknown> {
    const member = members[who]
    const [first] = answers
    if (!member || !first) throw new Error(`There is no ${who}`)
    const seat = () =>
      single(sql`select id from private.seats where member_id = ${member.id} and ended_at is null`)
    const leave = async (now: boolean) => member.sql`select leave_seat(${await seat()}, ${now})`
    const join = async (hasAccess: boolean) => {
      const request =
        await single(member.sql`insert into subscription_requests (subscription_id, coins_first, begins_at_once_at)
          values (${shared}, ${yes}, 'now') returning id`)
      await olivia.sql`select approve_subscription_request(${request}, ${shared})`
      if (hasAccess) await olivia.sql`select give_access(${await seat()}, 'home')`
    }
    const moves: Record<string, () => Promise<unknown>> = {
      join: () => join(minutes % 4 > 0),
      'settle in': async () => {
        await join(true)
        await compare()
        await tick([{ outcome: 'succeeded', heard: 'at once' }])
      },
      tick: () => tick(answers),
      pass: () => pass(minutes),
      jump: () => pass(minutes * 10),
      deliver: () => provider.deliver(),
      leave: () => leave(true),
      'leave at the end': () => leave(false),
      remove: () =>
        olivia.sql`delete from subscription_members where subscription_id = ${shared} and user_id = ${member.id}`,
      cancel: async () => {
        await olivia.sql`delete from shared_subscriptions where id = ${shared}`
        shared = await share()
      },
      'withdraw from contract': async () => member.sql`select withdraw_from_contract(${await seat()})`,
      'prefer coins': async () => member.sql`select use_coins_first(${await seat()}, ${yes})`,
      adjust: async () => {
        await ada.sql`select adjust_wallet(${member.id}, ${cents / 100}::numeric, 'Counted wrongly')`
        calculator.adjust(member.id, cents)
      },
      dispute: () => provider.dispute(minutes, 'needs_response', first),
      'decide dispute': () => provider.dispute(minutes, yes ? 'won' : 'lost', first),
      'pay out': () => provider.payOut(account, minutes, first),
      'stop account': () => setReady(false),
      'let account go on': () => setReady(true),
      'move coins': async () => {
        await olivia.sql`select move_coins_to_account()`
        calculator.moveCoins()
      },
    }
    return moves[move]?.().catch((error: unknown) => {
      const isRefusal = error instanceof Error && 'code' in error && REFUSALS.includes(String(error.code))
      if (!isRefusal || CERTAIN.includes(move)) throw error
    })
  }
  const compare = async (after = '') => {
    calculator.see(await single<Facts>(run(FACTS, [olivia.id])), ['pass', 'jump'].includes(after))
    expect(await ledger()).toEqual(calculator.balances())
    expect(calculator.isAllNamed()).toBe(true)
  }

  for (const step of steps) {
    await take(step)
    await compare(step.move)
  }
  // In the end everything is done: the account holds its balance in the books, except for the owner's debts, and the
  // provider holds the balance of `outside`.
  await olivia.sql`delete from shared_subscriptions where id = ${shared}`
  await compare()
  for (const _again of [1, 2, 3, 4]) {
    await tick([{ outcome: 'succeeded', heard: 'twice' }])
    await provider.deliver()
    await compare()
  }
  const owed = await single<number>(
    run(
      `select coalesce(sum(r.amount * 100), 0)::integer from private.account_reversals as r
    join private.account_transfers as t on t.id = r.transfer_id where t.user_id = $1 and r.status = 'queued'`,
      [olivia.id],
    ),
  )
  expect(provider.inAccount(account) - owed).toBe(calculator.balances()[`connected ${olivia.id}`] ?? 0)
  expect(await sql`select * from private.check_books()`).toEqual([])
  expect(await sql`select last_error from private.seats where failures > 0`).toEqual([])
}

/** Runs `lives` lives: the same ones each time, unless SEED is set; LIFE="seed path" repeats one that failed. */
export async function liveAll(db: Database, lives: number): Promise<void> {
  const { sql } = statements(db)
  await sql`update private.rate_limits set attempts = 1000000`
  await sql`select report_payment_provider('simulated', 'test', null, true)`
  const [seed = process.env.SEED ?? 20261126, path] = process.env.LIFE?.split(' ') ?? []
  const which = {
    seed: Number(seed),
    numRuns: lives,
    endOnFailure: true,
    ...(path !== undefined && { path }),
  }
  await fc.assert(
    fc.asyncProperty(life, (one) => live(db, one)),
    which,
  )
  expect(await oddTaxFigures(sql)).toEqual([])
}
