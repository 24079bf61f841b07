// Renewals of seats that are paid through the site: when they are announced and charged, and what their failure does.
import { describe, expect, test } from 'vitest'
import { setThePayingTable } from '../paying.ts'

const { sql, till, who, seat, periods, last, told, mayGetIn, enterAndPay, toBoundary, sums } =
  await setThePayingTable()

describe('a renewal', () => {
  test('is announced 3 days before, once, and charged at the boundary, whether looked for often or late', async () => {
    const { marc } = who()
    await enterAndPay()
    await till.pass(await toBoundary('-3 days -1 hour'))
    expect(await told(marc, 'renewal-coming')).toBe(0)
    await till.pass('2 hours')
    await till.pass('1 hour')
    expect(await told(marc, 'renewal-coming')).toBe(1)
    const [{ day } = { day: '' }] = await marc.sql<{
      day: string
    }>`select ends_at::date::text as day from member_payments`
    const sentence = `€5.50 for Netflix Premium is charged on ${day}. You can leave until then.`
    expect(await marc.sql`select message from user_notifications where event = 'renewal-coming'`).toEqual([
      { message: sentence },
    ])
    const mails = sql`select subject from private.outgoing_mail where recipient = ${marc.email}
      and position(${sentence} in html) > 0`
    expect(await mails).toHaveLength(1)
    expect(await periods()).toHaveLength(1)
    await till.pass('3 days')
    expect(await periods()).toMatchObject([{ status: 'closed' }, { status: 'paid' }])
    const [same] =
      await marc.sql`select max(ends_at) filter (where number = 1) = max(starts_at) filter (where number = 2) as same
      from member_payments`
    expect(same).toEqual({ same: true })
  })

  test('that fails is tried after 1, 3 and 5 days with access closed, and then the seat ends', async () => {
    const { olivia, marc } = who()
    await enterAndPay()
    await till.pass(await toBoundary(), 'failed')
    expect(await seat()).toMatchObject({ status: 'late' })
    expect(await mayGetIn()).toBe(false)
    const tried: number[] = []
    for (const pause of ['23 hours', '1 hour', '1 day', '1 day', '1 day', '1 day']) {
      await sql`update private.clock set ahead = ahead + ${pause}::interval`
      await till.due()
      tried.push(await till.work('failed'))
    }
    await till.due()
    expect(tried).toEqual([0, 1, 0, 1, 0, 1])
    // Each attempt says when the next one is.
    const next = marc.sql`select round(extract(epoch from (params ->> 'until')::timestamptz - due_at) / 86400)::integer as days
      from user_notifications, member_payments where event = 'payment-failed' and number = 2 order by 1`
    expect(await next).toEqual([{ days: 1 }, { days: 3 }, { days: 5 }])
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'unpaid' })
    expect(await told(olivia, 'member-seat-ended')).toBe(1)
    expect(await sums()).toEqual({ paid: 5.5, earned: 5, fee: 0.5, back: 0 })
  })

  test('that succeeds late pays from the boundary', async () => {
    const { marc } = who()
    await enterAndPay()
    await till.pass(await toBoundary(), 'failed')
    await till.pass('1 day', 'failed')
    expect(await mayGetIn()).toBe(false)
    await till.pass('2 days')
    expect(await seat()).toMatchObject({ status: 'active' })
    expect(await mayGetIn()).toBe(true)
    const [same] =
      await marc.sql`select max(ends_at) filter (where number = 1) = max(starts_at) filter (where number = 2) as same
      from member_payments`
    expect(same).toEqual({ same: true })
  })

  test('is not for a period that is wholly past: whoever comes back after half a year pays for one', async () => {
    const { marc } = who()
    await enterAndPay()
    await till.pass('6 months')
    expect(await periods()).toMatchObject([{ number: 1, status: 'closed' }, { status: 'paid' }])
    expect(await sums()).toMatchObject({ paid: 11 })
    // In order: what was earned, the notice, the end of the first period, the next one.
    const told =
      await marc.sql`select event from user_notifications where event like 'payment%' or event like 'renewal%'
      order by created_at, event desc`
    expect(told.map(({ event }) => event)).toEqual(['payment-made', 'renewal-coming', 'payment-made'])
    const [current] =
      await sql`select starts_at <= private.now() and ends_at > private.now() as running from member_payments
      where id = ${(await last()).id}`
    expect(current).toEqual({ running: true })
  })

  test('after a gap in which nothing ran, open deadlines have as much time left as before', async () => {
    const { marc, plan } = who()
    await till.enter(marc, plan)
    await till.work('failed')
    const left = async () =>
      (
        await sql`select next_attempt_at - private.now() between interval '23 hours' and interval '25 hours' as good
        from member_payments where member_id = ${marc.id}`
      )[0]?.good
    await sql`update private.clock set ahead = ahead + interval '3 days', beat_at = now() - interval '3 days'`
    await till.due()
    expect(await seat()).toMatchObject({ status: 'paying' })
    expect(await left()).toBe(true)
    await till.pass('26 hours')
    expect(await seat()).toMatchObject({ status: 'ended' })
  })

  test('that cannot be done moves nothing, and those that are due with it are done', async () => {
    const { olivia, marc, plan } = who()
    const nina = await till.payer('Nina')
    await till.enter(nina, plan)
    await enterAndPay()
    await sql`update private.seats set anchor = '5874897-12-01' where member_id = ${nina.id}`
    await till.pass(await toBoundary())
    expect(await till.failures()).toHaveLength(1)
    expect(await periods()).toMatchObject([{ status: 'closed' }, { status: 'paid' }])
    expect(await nina.sql`select status, earned_share from member_payments`).toEqual([
      { status: 'paid', earned_share: '0.00' },
    ])
    expect(await till.coins(olivia)).toBe(5)
    expect(await till.books()).toEqual([])
    await sql`update private.seats set anchor = (select anchor from private.seats where member_id = ${marc.id})
      where member_id = ${nina.id}`
    await till.pass('1 day')
    expect(await till.coins(olivia)).toBe(10)
  })
})
