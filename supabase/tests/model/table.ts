// Owners, members with cards and their plans, and the actions each may try; a rule may refuse any of them.
import type { Database } from '@potluck/server/db/database.ts'
import fc from 'fast-check'
import { single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { addPeople, addStaff, type Person, statements } from '../people.ts'
import type { openProvider } from './provider.ts'

const PLANS = ['netflix-premium', 'dropbox-family-annual', 'nintendo-switch-online-family']
const FEES = [0.1, 0.055, 0, 0.2]
/** Codes of rules that may refuse people's actions. */
export const REFUSALS = ['23514', '23505', '42501', 'PT404']

const outcome = fc.constantFrom(
  ...(['succeeded', 'succeeded', 'succeeded', 'failed', 'needs-action'] as const),
)
const heard = fc.constantFrom(...(['at once', 'at once', 'never', 'later', 'twice'] as const))
/** Actions that must not be refused: time, and events of the provider. */
export const CERTAIN =
  'tick, pass, jump, deliver, dispute, decide dispute, pay out, stop account, let account go on'.split(', ')
/** Actions, some more frequent than others. */
const MOVES = `join, join, join, tick, tick, tick, pass, pass, pass, jump, deliver, pay, leave,
  withdraw from contract, leave at the end, stay, remove, cancel, prefer coins, let in at once, withdraw, process, complete, reject, adjust,
  dispute, decide dispute, return, file, void, stop account, let account go on, pay out, move coins,
  settle in, settle in, settle in, give access, confirm access, report, report, report, say fixed, say fixed, contest,
  answer, answer, take back, decide problem, settle owed`.split(/,\s+/)
/** One step: the person, the action and the plan, with numbers for actions that take some. */
export const step = fc.record({
  move: fc.constantFrom(...MOVES),
  who: fc.nat(3),
  which: fc.nat(2),
  yes: fc.boolean(),
  minutes: fc.integer({ min: 1, max: 10 * 24 * 60 }),
  cents: fc.integer({ min: -3000, max: 5000 }),
  answers: fc.array(fc.record({ outcome, heard }), { minLength: 1, maxLength: 4 }),
})
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const pick = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error(`There is no ${index}`)
  return found
}

/** `hasAccounts`: owners are paid through their own accounts. */
export async function openTable(
  db: Database,
  provider: ReturnType<typeof openProvider>,
  hasAccounts: boolean,
) {
  const { sql, run } = statements(db)
  const owners = await addPeople(db, ['Olivia', 'Omar', 'Oda'])
  const members = await addPeople(db, ['Marc', 'Mia', 'Max', 'Mo'])
  const [ada, anton] = [await addStaff(db, 'Ada', 'admin'), await addStaff(db, 'Anton', 'admin')]
  await sql`select report_payment_provider('simulated', 'test', null, ${hasAccounts})`
  for (const { id } of members) {
    await sql`select record_customer(${id}, ${`cus_${id}`})`
    await sql`select record_card(${`cus_${id}`}, ${`pm_${id}`}, 'visa', '4242', 12, 2040, true)`
  }
  for (const owner of owners) await addBankAccount(db, owner)
  const accountOf = ({ id }: Person) => `acct_${id}`
  for (const owner of hasAccounts ? owners : []) {
    await sql`select register_account(${owner.id}, ${accountOf(owner)})`
    await provider.setReady(accountOf(owner), true)
  }
  const plans: string[] = []
  let shared = 0
  async function share(which: number) {
    // The fee rate in force when a plan is shared applies to this plan alone.
    await sql`update app_settings set fee_rate = ${pick(FEES, shared++ % FEES.length)}`
    plans[which] = await single(pick(owners, which).sql`insert into shared_subscriptions
      (catalogue_plan_id, owner_max_members, next_payment, settlement)
      values (${pick(PLANS, which)}, 3, current_date + 30, ${which === 2 ? 'direct' : 'potluck'}) returning id`)
  }
  for (const which of PLANS.keys()) await share(which)

  // One of the plans is paid directly.
  for (const owner of owners) await owner.insert('payment_wishes', { kind: 'text', note: 'Cash' })

  const seat = async ({ who, which }: Step) =>
    single(sql`select id from private.seats where member_id = ${pick(members, who).id}
      and subscription_id = ${pick(plans, which)} and ended_at is null`)
  const ours = `{${members.map(({ id }) => id)}}`
  const person = (id: string | undefined) =>
    [...owners, ...members].find((one) => one.id === id) ?? pick(members, 0)
  /** Returns one of the rows that the query finds, chosen by the step's number, with the person in its column `by`. */
  const has = async ({ who }: Step, text: string) => {
    const found = await run<{ id: string; by: string }>(text, [ours])
    const one = found[who % Math.max(1, found.length)]
    return { id: one?.id ?? null, by: person(one?.by) }
  }
  const working = (it: Step) =>
    has(
      it,
      `select id, member_id as by from private.seats
       where anchor is not null and ended_at is null and member_id = any ($1) order by opened_at`,
    )
  /** Returns one of the open problems, whose seat may have ended. */
  const problem = (it: Step, side: 'member' | 'owner' = 'member') =>
    has(
      it,
      `select id, ${side}_id as by from seat_problems
       where status <> 'closed' and member_id = any ($1) order by reported_at`,
    )
  const pass = async (minutes: number) => {
    await sql`select private.move_clock(${minutes} * interval '1 minute')`
    for (let done = 1; done > 0; ) done = await single<number>(sql`select private.run_due_work()`)
  }
  const decide = (by: Person, to: string, reason: string | null = null) => by.sql`
    update withdrawal_requests set status = ${to}, rejection_reason = ${reason}
    where id = (select id from withdrawal_requests where status in ('pending', 'processing') order by requested_at limit 1)`

  type Move = (it: Step, member: Person, owner: Person, plan: string) => Promise<unknown>
  const join: Move = async ({ yes }, member, owner, plan) => {
    const [request] =
      await member.sql`insert into subscription_requests (subscription_id, coins_first, begins_at_once_at)
      values (${plan}, ${yes}, 'now') returning id`
    await owner.sql`select approve_subscription_request(${String(request?.id)}, ${plan})`
  }
  const moves: Record<string, Move> = {
    join,
    async 'settle in'(it, member, owner, plan) {
      await join(it, member, owner, plan)
      await owner.sql`select give_access(${await seat(it)}, 'home')`
      await provider.tick([{ outcome: 'succeeded', heard: 'at once' }])
    },
    tick: ({ answers }) => provider.tick(answers),
    deliver: () => provider.deliver(),
    pass: ({ minutes }) => pass(minutes),
    jump: ({ minutes }) => pass(minutes * 40),
    pay: (_it, member) => member.sql`select begin_payment(id, null) from member_payments
      where member_id = ${member.id} and status in ('due', 'failed', 'needs-action') limit 1`,
    leave: async (it, member) => member.sql`select leave_seat(${await seat(it)}, true)`,
    'withdraw from contract': async (it, member) =>
      member.sql`select withdraw_from_contract(${await seat(it)})`,
    'leave at the end': async (it, member) => member.sql`select leave_seat(${await seat(it)}, false)`,
    stay: async (it, member) => member.sql`select cancel_departure(${await seat(it)})`,
    'prefer coins': async (it, member) => member.sql`select use_coins_first(${await seat(it)}, ${it.yes})`,
    remove: (_it, member, owner, plan) =>
      owner.sql`delete from subscription_members where subscription_id = ${plan} and user_id = ${member.id}`,
    async cancel({ which }, _member, owner, plan) {
      await owner.sql`delete from shared_subscriptions where id = ${plan}`
      await share(which)
    },
    'let in at once': ({ yes }, _member, _owner, plan) =>
      // The server itself turns this on, because an owner first has to store access data, which not all have.
      sql`update shared_subscriptions set instant_from = ${yes ? 'new' : null} where id = ${plan}`,
    withdraw: (_it, _member, owner) => owner.sql`insert into withdrawal_requests (amount) values (20)`,
    process: () => decide(ada, 'processing'),
    complete: () => decide(anton, 'completed'),
    reject: () => decide(anton, 'rejected', 'Wrong account'),
    dispute: ({ minutes, answers }) => provider.dispute(minutes, 'needs_response', pick(answers, 0)),
    'decide dispute': ({ minutes, yes, answers }) =>
      provider.dispute(minutes, yes ? 'won' : 'lost', pick(answers, 0)),
    'stop account': (_it, _member, owner) => provider.setReady(accountOf(owner), false),
    'let account go on': (_it, _member, owner) => provider.setReady(accountOf(owner), true),
    'pay out': ({ minutes, answers }, _member, owner) =>
      provider.payOut(accountOf(owner), minutes, pick(answers, 0)),
    'move coins': (_it, _member, owner) => owner.sql`select move_coins_to_account()`,
    return: () => ada.sql`select return_withdrawal((select id from withdrawal_requests
      where status = 'completed' and returned_at is null limit 1), 'Account closed')`,
    file: () =>
      ada.sql`select create_payout_file(array(select id from withdrawal_requests where status = 'processing'))`,
    void: () =>
      ada.sql`select void_payout_file((select max(id) from private.payout_files where voided_at is null), 'Lost')`,
    'give access': async (it, _member, owner) => owner.sql`select give_access(${await seat(it)}, 'home')`,
    'confirm access': async (it, member) => member.sql`select confirm_access(${await seat(it)})`,
    async report(it) {
      const { by, id } = await working(it)
      await by.sql`select report_problem(${id}, 'password')`
    },
    async 'say fixed'(it) {
      const { by, id } = await problem(it, 'owner')
      await by.sql`select say_fixed(${id})`
    },
    async contest(it) {
      const { by, id } = await problem(it, 'owner')
      await by.sql`select contest_problem(${id})`
    },
    async answer(it) {
      const { by, id } = await problem(it)
      await by.sql`select answer_fix(${id}, ${it.yes})`
    },
    async 'take back'(it) {
      const { by, id } = await problem(it)
      await by.sql`select drop_problem(${id})`
    },
    'decide problem': async (it) =>
      ada.sql`select decide_problem(${(await problem(it)).id}, ${it.yes}, 'Tried it')`,
    'settle owed': (_it, member) =>
      member.sql`select settle_owed(id) from my_seats() where owed_back > 0 limit 1`,
    adjust: ({ cents }, member) =>
      ada.sql`select adjust_wallet(${member.id}, ${cents / 100}::numeric, 'Counted wrongly')`,
  }

  return {
    async take(it: Step) {
      const { who, which, move } = it
      try {
        const make = moves[move]
        if (!make) throw new Error(`There is no move ${move}`)
        await make(it, pick(members, who), pick(owners, which), pick(plans, which))
      } catch (error) {
        const isRefusal = error instanceof Error && 'code' in error && REFUSALS.includes(String(error.code))
        if (!isRefusal || CERTAIN.includes(move)) throw error
      }
    },
    async close() {
      for (const [which, owner] of owners.entries())
        await owner.sql`delete from shared_subscriptions where id = ${pick(plans, which)}`
    },
  }
}
