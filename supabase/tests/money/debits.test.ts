// What time does while a bank debit is under way: it is neither late nor unpaid, and has an end whatever the bank does.
import { describe, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { setThePayingTable } from '../paying.ts'

const { sql, till, who, seat, seatId, last, told, mayGetIn, enterAndPay, toBoundary } =
  await setThePayingTable()

/** From now on Marc's bank account is debited. */
const debited = () => {
  const { id } = who().marc
  return sql`select record_card(${`cus ${id}`}, ${`pm debit ${id}`}, null, '3000', null, null, true, 'sepa_debit', 'M-1')`
}
/** The bank is asked now, and answers later. */
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
    expect(await single(sql`select paid_late from private.work_out_facts(array[${marc.id}::uuid])`)).toBe(0)
  })

  test('that nobody knows of yet is asked for again as it was, whatever its member pays with by now', async () => {
    const { marc } = who()
    await enterAndPay()
    await debited()
    await sql`update private.clock set ahead = ahead + ${await toBoundary()}::interval`
    await till.due()
    const isDue = () => sql`update private.payment_jobs set next_attempt_at = now()`
    await sql`select take_payment_jobs('simulated', 10)`
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
