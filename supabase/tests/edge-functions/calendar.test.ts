// A person's dates as a calendar program reads them, and the access to them.
// Proves CLOCK 03
import fc from 'fast-check'
import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeCalendar } from '../../functions/calendar/ics.ts'
import { type Asker, addPeople, notFound, type Person, refusalOf, statements } from '../people.ts'
import { setTheTable } from '../plans.ts'
import { HOSTS, type Host, openHost } from './hosts.ts'

const SITE = 'https://potluck.example'
const eventsOf = (ics: string) =>
  new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents('vevent').map((one) => {
    const { uid, summary, startDate } = new ICAL.Event(one)
    return { uid, summary, day: startDate.toString(), url: String(one.getFirstPropertyValue('url')) }
  })

test('a calendar gives back what was written into it, in lines of at most 75 bytes', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 120 }).map((text) => text.replace(/\p{Cc}/gu, ''))
  const day = { uid: 'due-1', day: '2026-11-30', path: '/payments/1' }
  fc.assert(
    fc.property(fc.oneof(name, fc.constantFrom('a;b,c\\n\\', 'two\nlines', '…'.repeat(60))), (summary) => {
      const ics = writeCalendar([{ ...day, summary }], SITE, new Date())
      expect(eventsOf(ics)).toEqual([
        { uid: 'due-1@potluck.example', summary, day: day.day, url: `${SITE}${day.path}` },
      ])
      for (const line of ics.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    }),
  )
})

describe.each(HOSTS)('the function calendar in %s', (name) => {
  let host: Host
  let sql: Asker['sql']
  beforeAll(async () => {
    host = await openHost(name, 'calendar', {
      OUTBOX: 'off',
      SMTP_URL: 'smtp://127.0.0.1:9',
      SITE_URL: `${SITE}/`,
    })
    sql = statements(host.server.db).sql
  })
  afterAll(() => host.close())
  const read = (token: string, method = 'GET') => host.call({ method, path: `/${token}.ics` })
  const make = async (person: Person) =>
    (await person.sql<{ token: string }>`select make_calendar() as token`)[0]?.token ?? ''
  const days = async (token: string) => eventsOf(await (await read(token)).text())
  const inDays = async (count: number) =>
    (await sql<{ day: string }>`select (current_date + ${count}::integer)::text as day`)[0]?.day

  test('has what is due, what renews and what ends, of one person alone', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(host.server.db)
    const token = await make(marc)
    const answer = await read(token)
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    const [due, ...others] = eventsOf(await answer.text())
    expect(due).toMatchObject({ summary: '€5.00 is due for Netflix Premium', day: await inDays(0) })
    expect(due?.url).toMatch(/^https:\/\/potluck\.example\/payments\/[0-9a-f-]{36}$/)
    expect(others).toEqual([])
    expect(await days(await make(olivia))).toEqual([
      expect.objectContaining({
        summary: 'Your payment to Netflix: €19.99',
        day: await inDays(30),
        url: `${SITE}/manage-shared/${plan.id}`,
      }),
    ])
    expect(await days(await make(zoe))).toEqual([])
    // A renewal is listed as long as its day lasts in the person's time zone, where it may already, or still, be
    // another day.
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await olivia.sql`select set_time_zone(${zone})`
      await sql`update shared_subscriptions set next_payment = (now() at time zone ${zone})::date where id = ${plan.id}`
      expect(await days(await make(olivia))).toHaveLength(1)
    }
    await olivia.sql`select set_time_zone('Pacific/Kiritimati')`
    await sql`update shared_subscriptions set next_payment = (now() at time zone 'Pacific/Kiritimati')::date - 1 where id = ${plan.id}`
    expect(await days(await make(olivia))).toEqual([])

    const [payment] = await marc.sql<{ id: string; seat_id: string }>`select id, seat_id from member_payments`
    await olivia.sql`select confirm_payment(${payment?.id})`
    await sql`insert into private.time_zones (user_id, zone) values (${marc.id}, 'America/Los_Angeles')`
    const [period] = await sql<{ ends: string }>`
      select (ends_at at time zone 'America/Los_Angeles')::date::text as ends from member_payments where id = ${payment?.id}`
    const renewal = (await days(token))[0]
    expect(renewal).toMatchObject({ summary: 'Netflix Premium renews: €5.00', day: period?.ends })
    expect(renewal?.url).toBe(`${SITE}/manage-subscribed/${plan.id}`)
    await marc.sql`select leave_seat(${payment?.seat_id})`
    expect(await days(token)).toEqual([
      expect.objectContaining({ summary: 'Your place in Netflix Premium ends', day: period?.ends }),
    ])
  })

  test('is opened by its address alone, until that is replaced, switched off, or its account ends', async () => {
    const [ann, ben] = await addPeople(host.server.db, ['Ann', 'Ben'])
    const old = await make(ann)
    expect((await read(old)).status).toBe(200)
    expect((await read(old, 'POST')).status).toBe(405)
    expect((await read('0'.repeat(64))).status).toBe(404)
    expect((await read('guessed')).status).toBe(404)
    const guessed = sql`select calendar_of('guessed')`
    expect(await refusalOf(guessed)).toEqual(notFound('We don’t know this calendar'))
    const kept = await host.server.db.query('select * from private.calendars')
    expect(JSON.stringify(kept)).not.toContain(old)

    const next = await make(ann)
    expect([(await read(old)).status, (await read(next)).status]).toEqual([404, 200])
    expect(await ann.sql`select get_calendar() > now() - interval '1 hour' as lately`).toEqual([
      { lately: true },
    ])
    await ann.sql`select end_calendar()`
    expect(await ann.sql`select get_calendar() as since`).toEqual([{ since: null }])
    expect((await read(next)).status).toBe(404)

    const last = await make(ben)
    await host.server.db.query(
      `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      [ben.id],
    )
    expect((await read(last)).status).toBe(404)
    await host.server.db.query('update auth.users set banned_until = null where id = $1', [ben.id])
    expect((await read(last)).status).toBe(200)
    await ben.sql`select delete_own_account()`
    expect((await read(last)).status).toBe(404)
  })
})
