// Time during a bank debit: the payment is neither late nor unpaid, and the debit ends even if the bank never answers.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { setThePayingTable } from '../paying.ts'
import { addStaff } from '../people.ts'
import { race } from '../race.ts'
import { recordCharge } from '../till.ts'

const { db, sql, till, who, seat, seatId, last, told, mayGetIn, enterAndPay, toBoundary } =
  await setThePayingTable()

/** Makes Marc pay by bank debit from now on. */
const debited = () => {
  const { id } = who().marc
  return sql`select record_card(${`cus ${id}`}, ${`pm debit ${id}`}, null, '3000', null, null, true, 'sepa_debit', 'M-1')`
}
/** Asks the bank for the money, after `time` has passed; the bank's answer comes later. */
const ask = async (time?: string) => {
  if (time) await sql`update private.clock set ahead = ahead + ${time}::interval`
  await till.due()
  await till.work('processing')
  return last()
}
const pass = (time: string) => till.pass(time, 'processing')
const says = async (outcome: 'succeeded' | 'failed') => {
  await till.report((await last()).id, outcome, outcome === 'succeeded' ? 5.5 : 0, 'insufficient_funds')
  await till.due()
}

describe('a renewal by debit', () => {
  test('is announced with what the mandate asks for, is not late for all its days, and counts from its boundary', async () => {
    const { marc } = who()
    await enterAndPay()
    await debited()
    await pass(await toBoundary('-2 days'))
    expect(
      await marc.sql`select params ->> 'account' as account, params ->> 'mandate' as mandate from user_notifications
        where event = 'payment-debit-coming'`,
    ).toEqual([{ account: '3000', mandate: 'M-1' }])
    expect(await ask(await toBoundary())).toMatchObject({ number: 2, status: 'processing' })
    await pass('12 days')
    expect([await mayGetIn(), await told(marc, 'payment-failed'), (await seat())?.status]).toEqual([
      true,
      0,
      'active',
    ])
    await says('succeeded')
    expect(await last()).toMatchObject({ status: 'paid' })
    expect(
      await single(sql`select (starts_at = due_at and claimed_at < paid_at - interval '11 days')
        from member_payments where id = ${(await last()).id}`),
    ).toBe(true)
    expect(await single(sql`select paid_late from private.compute_facts(array[${marc.id}::uuid])`)).toBe(0)
  })

  test('that nobody knows of yet is asked for again as it was, whatever its member pays with by now', async () => {
    const { marc } = who()
    await enterAndPay()
    await debited()
    await sql`update private.clock set ahead = ahead + ${await toBoundary()}::interval`
    await till.due()
    const isDue = () => sql`update private.payment_jobs set next_attempt_at = now()`
    await sql`select lease_payment_jobs('simulated', 10)`
    await marc.sql`select choose_card(id) from payment_methods where kind = 'card'`
    await isDue()
    await till.work('processing')
    expect(await last()).toMatchObject({ number: 2, status: 'processing' })
    await says('succeeded')
  })

  test('that fails when all retries would be over closes access, is tried once more, and then ends the place', async () => {
    const { marc } = who()
    await enterAndPay()
    await debited()
    await ask(await toBoundary())
    await pass('8 days')
    await says('failed')
    expect([await mayGetIn(), await told(marc, 'payment-failed'), (await seat())?.status]).toEqual([
      false,
      1,
      'late',
    ])
    await pass('25 hours')
    expect([await mayGetIn(), (await last()).status]).toEqual([false, 'processing'])
    await says('failed')
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'unpaid' })
  })

  test('that arrives when its month is over goes back if access was closed, and the place opens again', async () => {
    await enterAndPay()
    await debited()
    await ask(await toBoundary())
    await pass('8 days')
    await says('failed')
    await pass('25 hours')
    const { id } = await last()
    await pass(await toBoundary())
    expect([await mayGetIn(), (await last()).status]).toEqual([false, 'processing'])
    await till.report(id, 'succeeded', 5.5)
    expect([(await last()).status, await till.held('refunds_due'), await mayGetIn()]).toEqual([
      'given-back',
      5.5,
      true,
    ])
    await pass('1 minute')
    expect([(await last()).number, await mayGetIn()]).toEqual([3, true])
  })

  test('is taken for what the provider says was charged, also where many are booked at once', async () => {
    await enterAndPay()
    await debited()
    await ask(await toBoundary())
    const { id } = await last()
    await sql`update private.charges set status = 'charging' where payment_id = ${id}`
    await sql`update member_payments set status = 'charging' where id = ${id}`
    const intent = `pi ${id}`
    await recordCharge(sql, { intent, status: 'succeeded', amount: 5.5, method: `pm ${who().marc.id}` })
    expect(await single(sql`select paid_with from member_payments where id = ${id}`)).toBe('card')
  })

  test.each([
    [1, '56 days after the debit'],
    [2, '30 days after the card'],
  ])('after %s months by card lets its owner withdraw %s', async (months) => {
    const { olivia } = who()
    await enterAndPay()
    await pass('7 days')
    while ((await last()).number < months) await till.pass(await toBoundary())
    await debited()
    await ask(await toBoundary())
    await says('succeeded')
    await pass('7 days')
    expect(
      await single(sql`with earned as (
          select min(t.created_at) as card, min(t.created_at) filter (where m.paid_with = 'sepa_debit') as debit
          from private.ledger_transfers as t join member_payments as m on m.id = t.payment_id
          where t.kind = 'earning' and t.person_id = ${olivia.id}
        ) select private.withdrawals_wait_until(${olivia.id})
          = case ${months}::int when 1 then debit + interval '56 days' else card + interval '30 days' end from earned`),
    ).toBe(true)
  })
})

test.each<[string, () => Promise<unknown>, number | null]>([
  [
    'of a renewal that was announced two days before, for this account, may come at once',
    async () => {
      await enterAndPay()
      await debited()
      await pass(await toBoundary('-2 days -1 hour'))
      await ask(await toBoundary())
    },
    null,
  ],
  [
    'of a renewal that was announced later waits',
    async () => {
      await enterAndPay()
      await debited()
      await pass(await toBoundary('-1 day'))
      await ask(await toBoundary())
    },
    3,
  ],
  [
    'of an account that was chosen after the notice waits',
    async () => {
      await enterAndPay()
      await pass(await toBoundary('-2 days -1 hour'))
      await debited()
      await sql`update payment_methods set chosen_at = private.now() where kind = 'sepa_debit'`
      await ask(await toBoundary())
    },
    3,
  ],
  [
    'of a first payment waits',
    async () => {
      await debited()
      await till.enter(who().marc, who().plan)
      await ask()
    },
    3,
  ],
])('a debit %s', async (_what, begin, days) => {
  await begin()
  expect(await last()).toMatchObject({ status: 'processing' })
  const found = await single<
    number | null
  >(sql`select private.debit_day(c, m) - (private.now() at time zone 'utc')::date
    from private.charges as c join member_payments as m on m.id = c.payment_id
    where m.member_id = ${who().marc.id} order by m.number desc limit 1`)
  expect(found).toBe(days)
})

describe('a debit that its bank takes back', () => {
  const returned = (period: string) =>
    sql`select record_dispute(${`dp ${period}`}, ${`pi ${period}`}, 5.5, 'lost', 'debit_not_authorized', null)`
  const refundOf = (period: string) =>
    single(sql`select id from private.refunds where payment_id = ${period}`)

  test('while its refund is under way, which arrives all the same, is lost twice: it is booked, and staff is told', async () => {
    const { marc, olivia, plan } = who()
    const ada = await addStaff(db, 'Ada', 'admin')
    await debited()
    await till.enter(marc, plan)
    await ask()
    await says('succeeded')
    const { id } = await last()
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    const refund = await refundOf(id)
    const before = await till.held('guarantee')
    await sql`select record_refund(${refund}, 're_1', 'pending', null)`
    await returned(id)
    expect(await till.held('guarantee')).toBe(before)
    for (const _again of [1, 2]) await sql`select record_refund(${refund}, 're_1', 'succeeded', null)`
    expect(await till.held('guarantee')).toBe(before - 5.5)
    expect(await told(ada, 'payment-returned-twice')).toBe(1)
    await till.work()
  })

  test.each([
    [
      'a refund',
      (_period: string, refund: string) => sql`select record_refund(${refund}, 're_2', 'succeeded', null)`,
    ],
    [
      'a charge',
      (period: string) =>
        recordCharge(sql, { intent: `pi ${period}`, status: 'succeeded', amount: 5.5, isHeard: true }),
    ],
  ])('is told of at the same moment as %s elsewhere, and neither waits for the other', async (what, hear) => {
    await enterAndPay()
    const { id } = await last()
    const nina = await till.payer('Nina')
    const other = await till.share(await till.payer('Omar'))
    await till.enter(nina, other)
    const period = String(await single(nina.sql`select id from member_payments`))
    if (what === 'a refund') {
      await till.work()
      await other.owner.sql`delete from shared_subscriptions where id = ${other.id}`
    } else await till.work('processing')
    const refund = await refundOf(period)
    const holdUp = () =>
      db.transaction(async (tx) => {
        await tx.query(`select from private.ledger_accounts where kind = 'outside' for update`)
        await tx.query('select pg_sleep(0.4)')
      })
    const late = (time: number, news: () => Promise<unknown>) => () => pause(time).then(news)
    const all = [holdUp, late(100, () => returned(id)), late(200, () => hear(period, String(refund)))]
    expect(await race(all)).toEqual({ done: 3 })
    await till.work()
  })
})

describe('a first payment by debit', () => {
  const begun = async () => {
    await debited()
    await till.enter(who().marc, who().plan)
    expect(await ask()).toMatchObject({ status: 'processing' })
  }

  test('keeps the place for as long as a bank may take, and not for ever', async () => {
    await begun()
    await pass('23 days')
    expect([await mayGetIn(), (await seat())?.status]).toEqual([false, 'paying'])
    await pass('2 days')
    expect(await last()).toMatchObject({ status: 'failed' })
    await pass('25 hours')
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'unpaid' })
  })

  test('goes back after a withdrawal, which says so', async () => {
    const { marc } = who()
    await begun()
    await marc.sql`select withdraw_from_contract(${await seatId()})`
    expect(
      await single(marc.sql`select message from user_notifications where event = 'contract-withdrawn'`),
    ).toContain('What your bank is debiting comes back once it has arrived.')
    await says('succeeded')
    expect([await till.held('refunds_due'), (await last()).status]).toEqual([5.5, 'given-back'])
    await till.work()
  })
})
