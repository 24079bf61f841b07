// Paying each other directly: wishes, what both sides say, reminders, and that no coin moves.
import { beforeEach, describe, expect, test } from 'vitest'
import { addPerson, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { type SharedPlan, setTheTable } from '../plans.ts'

const { db, sql } = await ownDatabase()
let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
let payment = ''
let seat = ''
beforeEach(async () => {
  const table = await setTheTable(db)
  olivia = table.olivia
  marc = table.marc
  zoe = table.zoe
  plan = table.plan
  const [row] = await marc.sql<{ id: string; seat_id: string }>`select id, seat_id from member_payments`
  payment = row?.id ?? ''
  seat = row?.seat_id ?? ''
})

const work = () => sql`select private.run_due_work()`
const days = (count: number) => sql`update private.clock set ahead = ahead + ${`${count} days`}::interval`
const state = async (id = payment) =>
  (await sql`select status, note, paid_at is not null as paid from member_payments where id = ${id}`)[0]
const told = async (person: Person, event: string) =>
  (await person.sql`select id from user_notifications where event = ${event}`).length

describe('how an owner would like to be paid', () => {
  const wish = (person: Person, row: Record<string, string | null>) => person.insert('payment_wishes', row)
  test.each([
    ['DE89370400440532013000', true],
    ['de89 3704 0044 0532 0130 00', true],
    ['GB82 WEST 1234 5698 7654 32', true],
    ['NO93 8601 1117 947', true],
    ['DE89370400440532013001', false],
    ['DE98370400440532013000', false],
    ['GB82WEST12345698765423', false],
    ['DE89', false],
    ['', false],
    ['DE893704004405320130O0', false],
    ['DE89370400440532013000; drop', false],
  ])('the IBAN %j is one: %s', async (iban, good) => {
    const kept = wish(olivia, { kind: 'iban', iban, holder: 'Olivia Brandt' })
    if (good) expect(await kept).toMatchObject({ iban: iban.replaceAll(' ', '').toUpperCase() })
    else expect(await refusalOf(kept)).toEqual(rule('Please check the IBAN, as its digits do not add up'))
  })

  test('each digit that is wrong, and each two neighbours that are swapped, are noticed', async () => {
    const iban = 'DE89370400440532013000'
    const typos = [...iban].flatMap((letter, n) => {
      if (n < 2) return []
      const other = `${iban.slice(0, n)}${(Number(letter) + 1) % 10}${iban.slice(n + 1)}`
      const next = iban[n + 1]
      return next && next !== letter
        ? [other, `${iban.slice(0, n)}${next}${letter}${iban.slice(n + 2)}`]
        : [other]
    })
    const [found] = await db.query<{ taken: string[] | null }>(
      `select array_agg(typo) as taken from jsonb_array_elements_text($1::jsonb) as typo where private.is_iban(typo)`,
      [JSON.stringify(typos)],
    )
    expect(typos.length).toBeGreaterThan(30)
    expect(found?.taken).toBeNull()
  })

  test('is a link or a text as well, and nothing without what its kind needs', async () => {
    expect(await refusalOf(wish(olivia, { kind: 'link', link: 'javascript:alert(1)' }))).toEqual(
      rule('Please enter a link that begins with https://'),
    )
    expect(await refusalOf(wish(olivia, { kind: 'text', note: ' ' }))).toEqual(
      rule('Please say how you would like to be paid'),
    )
    expect(
      await refusalOf(wish(olivia, { kind: 'iban', iban: 'DE89370400440532013000', holder: ' ' })),
    ).toEqual(rule('Whose account is it? Please enter a name'))
    expect(
      await wish(olivia, { kind: 'link', link: ' https://pay.example/olivia ', iban: 'XX', holder: 'x' }),
    ).toMatchObject({ link: 'https://pay.example/olivia', iban: null, holder: null })
  })

  test('is read by members with a living seat, and by nobody else', async () => {
    await wish(olivia, { kind: 'text', note: 'Cash' })
    const seen = (person: Person) => person.sql`select note from payment_wishes`
    expect(await seen(marc)).toEqual([{ note: 'Cash' }])
    expect(await seen(zoe)).toEqual([])
    await marc.sql`select leave_seat(${seat}, true)`
    expect(await seen(marc)).toEqual([])
  })
})

describe('a payment', () => {
  test('is said to be paid, turned down with a sentence, said again and received', async () => {
    await marc.sql`select say_paid(${payment})`
    expect(await state()).toEqual({ status: 'claimed', note: null, paid: false })
    expect(await told(olivia, 'member-says-paid')).toBe(1)
    expect(await refusalOf(olivia.sql`select deny_payment(${payment}, ' ')`)).toMatchObject({ code: '23514' })
    await olivia.sql`select deny_payment(${payment}, 'Only 3 euros came.')`
    expect(await state()).toEqual({ status: 'due', note: 'Only 3 euros came.', paid: false })
    expect(await told(marc, 'payment-not-received')).toBe(1)
    await marc.sql`select say_paid(${payment})`
    await olivia.sql`select confirm_payment(${payment})`
    expect(await state()).toEqual({ status: 'paid', note: null, paid: true })
    expect(await told(marc, 'payment-received')).toBe(1)
    for (const again of [
      marc.sql`select say_paid(${payment})`,
      olivia.sql`select confirm_payment(${payment})`,
    ])
      expect(await refusalOf(again)).toEqual(rule('This payment is not open'))
  })

  test('has a reference of its own and, once received, a receipt number; no fee, no coins', async () => {
    await Promise.allSettled(Array.from({ length: 10 }, () => olivia.sql`select confirm_payment(${payment})`))
    expect(await told(marc, 'payment-received')).toBe(1)
    const [row] =
      await marc.sql`select reference, receipt_number, fee, coins, card, amount from member_payments`
    expect(row).toMatchObject({ fee: '0.00', coins: '0.00', card: '0.00', amount: '5.00' })
    expect(row?.reference).toMatch(/^PL-[0-9A-F]{8}-1$/)
    expect(row?.receipt_number).toMatch(/^\d{4}-\d{6,}$/)
    expect(await sql`select id from coin_transactions`).toEqual([])
    expect(await sql`select user_id from user_wallets`).toEqual([])
  })

  test('that the owner denies after the seat has ended is called off', async () => {
    await marc.sql`select say_paid(${payment})`
    await marc.sql`select leave_seat(${seat}, true)`
    expect(await state()).toMatchObject({ status: 'claimed' })
    await olivia.sql`select deny_payment(${payment}, 'Nothing came.')`
    expect(await state()).toMatchObject({ status: 'cancelled' })
  })
})

describe('time', () => {
  test('reminds on the due date and 3 and 7 days after, once each', async () => {
    const reminders: number[] = []
    for (const pause of [0, 0, 2, 1, 3, 1, 5, 5]) {
      await days(pause)
      await work()
      reminders.push(await told(marc, 'payment-due'))
    }
    expect(reminders).toEqual([1, 1, 1, 2, 2, 3, 3, 3])
    expect(await marc.sql`select status from my_seats()`).toEqual([{ status: 'late' }])
    await olivia.sql`select confirm_payment(${payment})`
    expect(await marc.sql`select status from my_seats()`).toEqual([{ status: 'active' }])
  })

  test('lets the owner nudge once a day, and end the seat after 14 days and not before', async () => {
    const nudge = () => olivia.sql`select nudge_payment(${payment})`
    const early = rule('No payment has been missing for 14 days')
    await nudge()
    expect(await refusalOf(nudge())).toEqual(rule('You can remind somebody once a day'))
    await days(1)
    await nudge()
    expect(await told(marc, 'payment-nudge')).toBe(2)
    await days(12)
    expect(await refusalOf(olivia.sql`select end_late_seat(${seat})`)).toEqual(early)
    await days(1)
    await olivia.sql`select end_late_seat(${seat})`
    expect(await marc.sql`select end_reason from my_seats()`).toEqual([{ end_reason: 'unpaid' }])
    expect(
      await marc.sql`select title from user_notifications where title = 'Membership Ended'`,
    ).toHaveLength(1)
    expect(await sql`select current_members from shared_subscriptions where id = ${plan.id}`).toEqual([
      { current_members: 1 },
    ])
  })

  test('brings the next period at the boundary, whether or not the last is paid, until the member has left', async () => {
    await days(70)
    await work()
    expect(await marc.sql`select number, status from member_payments order by number`).toEqual([
      { number: 1, status: 'due' },
      { number: 2, status: 'due' },
      { number: 3, status: 'due' },
    ])
    const [gap] = await sql`select bool_and(p.ends_at = n.starts_at) as whole from member_payments as p
      join member_payments as n on n.seat_id = p.seat_id and n.number = p.number + 1 where p.seat_id = ${seat}`
    expect(gap).toEqual({ whole: true })
    await marc.sql`select leave_seat(${seat})`
    await days(32)
    await work()
    expect(await marc.sql`select end_reason from my_seats()`).toEqual([{ end_reason: 'over' }])
    expect(await marc.sql`select max(number) as last from member_payments`).toEqual([{ last: 3 }])
  })

  test('does each thing once, whoever looks for it, and what fails keeps nobody else waiting', async () => {
    const nina = await addPerson(db, 'Nina')
    await sql`select private.add_member(${plan.id}, ${nina.id}, false)`
    await sql`update private.seats set anchor = '5874897-12-01' where member_id = ${nina.id}`
    await days(32)
    await Promise.all(Array.from({ length: 10 }, work))
    expect(await marc.sql`select number from member_payments order by 1`).toEqual([
      { number: 1 },
      { number: 2 },
    ])
    expect([await told(marc, 'payment-due'), await told(nina, 'payment-due')]).toEqual([4, 0])
    const kept = () => sql`select failures from private.seats where member_id = ${nina.id}`
    expect(await kept()).toEqual([{ failures: 1 }])
    // What is mended is done the next time, from where it was.
    await sql`update private.seats set anchor = (private.now() - interval '33 days')::date where member_id = ${nina.id}`
    await days(1)
    await work()
    expect(await kept()).toEqual([{ failures: 0 }])
    expect(await nina.sql`select number from member_payments order by 1`).toEqual([
      { number: 1 },
      { number: 2 },
    ])
  })

  test('does not move the boundaries of a period when its member moves', async () => {
    await marc.sql`select set_time_zone('Pacific/Kiritimati')`
    const nina = await addPerson(db, 'Nina')
    await nina.sql`select set_time_zone('America/Los_Angeles')`
    const before = await marc.sql`select ends_at::text from member_payments`
    await sql`select private.add_member(${plan.id}, ${nina.id}, false)`
    expect(await marc.sql`select ends_at::text from member_payments`).toEqual(before)
    expect(
      await nina.sql`select (ends_at at time zone 'America/Los_Angeles')::time::text as at from member_payments`,
    ).toEqual([{ at: '00:00:00' }])
  })
})

describe('new terms', () => {
  const proposal = async () =>
    (
      await marc.sql<{
        id: string
        share: string
      }>`select id, share from term_proposals where answered_at is null`
    )[0]
  const share = async () => (await marc.sql`select share from my_seats()`)[0]?.share
  const dearer = () =>
    sql`update shared_subscriptions set member_price = 4, total_price = 16 where id = ${plan.id}`

  test('are for whoever joins, and for a member who agrees, from the next period on', async () => {
    await sql`update private.seats set share = 4 where id = ${seat}`
    await dearer()
    expect(await olivia.sql`select propose_terms(${plan.id}, 'direct') as asked`).toEqual([{ asked: 1 }])
    expect(await refusalOf(olivia.sql`select propose_terms(${plan.id}, 'direct')`)).toEqual(
      rule('These are the terms already'),
    )
    expect(await share()).toBe('4.00')
    const asked = await proposal()
    expect(asked?.share).toBe('5.00')
    await zoe.sql`select set_time_zone('UTC')`
    await marc.sql`select answer_terms(${asked?.id ?? ''}, true)`
    expect(await share()).toBe('5.00')
    expect(await told(olivia, 'terms-accepted')).toBe(1)
    await days(32)
    await work()
    expect(await marc.sql`select share from member_payments where number = 2`).toEqual([{ share: '5.00' }])
  })

  test('that nobody answers, or that are refused, leave the old ones, and the owner may end the seat with its period', async () => {
    await sql`update private.seats set share = 4 where id = ${seat}`
    await dearer()
    await olivia.sql`select propose_terms(${plan.id}, 'direct')`
    await days(32)
    await work()
    expect(await marc.sql`select share from member_payments where number = 2`).toEqual([{ share: '4.00' }])
    await marc.sql`select answer_terms(${(await proposal())?.id ?? ''}, false)`
    expect(await share()).toBe('4.00')
    await olivia.sql`select end_seat_with_period(${seat})`
    expect(await marc.sql`select status, may_stay from my_seats()`).toMatchObject([{ may_stay: false }])
    await days(32)
    await work()
    expect(await marc.sql`select end_reason from my_seats()`).toEqual([{ end_reason: 'over' }])
  })
})
