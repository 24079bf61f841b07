// Paying each other directly: payment wishes, both sides' statements, reminders, new terms, and that no coin moves.
// Proves PAY 10 22, DIRECT 01 03-05, CLOCK 01
import { countrySpecs } from 'ibantools'
import { beforeEach, describe, expect, test } from 'vitest'
import { toIban } from '../../functions/_shared/iban.ts'
import { isLate } from '../../functions/_shared/late.ts'
import { LIMITS } from '../../functions/_shared/limits.ts'
import { columnOf } from '../answers.ts'
import { addPerson, notFound, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { letIn, type SharedPlan, setTheTable, stopPlaces } from '../plans.ts'

const { db, sql } = await ownDatabase()
let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
const WISH = { kind: 'text', note: 'Cash at dinner' }
let payment = ''
let seat = ''
beforeEach(async () => {
  await stopPlaces(db)
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
  await olivia.insert('payment_wishes', WISH)
  const [row] = await marc.sql<{ id: string; seat_id: string }>`select id, seat_id from member_payments`
  payment = row?.id ?? ''
  seat = row?.seat_id ?? ''
})

const work = () => sql`select private.run_due_work()`
const wait = (time: string) => sql`update private.clock set ahead = ahead + ${time}::interval`
const pass = async (time: string) => [await wait(time), await work()]
const state = async () =>
  (await sql`select status, note, paid_at is not null as paid from member_payments where id = ${payment}`)[0]
const told = async (person: Person, event: string) =>
  (await person.sql`select id from user_notifications where event = ${event}`).length
/** Returns the kinds of a person's tasks. */
const kinds = (person: Person) =>
  columnOf<string>(person.sql`select task ->> 'kind' from jsonb_array_elements(my_home() -> 'tasks') as task`)
/** One column of Marc's view of his places, or of his payments. */
const seats = async (column: string) => (await marc.run(`select ${column} as it from my_seats()`))[0]?.it
const payments = async (column: string) =>
  (await marc.run(`select ${column} as it from member_payments order by number`)).map(({ it }) => it)

test('reminders ascend, one of them comes when the payment is late, and all before the place may be ended', async () => {
  expect(
    await sql`select private.direct_reminders() = array(select at from unnest(private.direct_reminders()) as at order by at) as ascend,
      private.payment_grace() = any (private.direct_reminders()) as late,
      private.direct_patience() > all (private.direct_reminders()) as in_time`,
  ).toEqual([{ ascend: true, late: true, in_time: true }])
})

test('a page and the database agree to the millisecond when a payment is late', async () => {
  const due = '2026-01-31T22:30:00.000Z'
  const late = Date.parse(due) + LIMITS.paymentGraceHours * 3_600_000
  for (const at of [late - 1, late, late + 1])
    expect(
      await columnOf(sql`select private.is_late(${due}, ${new Date(at).toISOString()})`),
      `${at - late} ms`,
    ).toEqual([isLate(due, at)])
})

describe('how an owner would like to be paid', () => {
  const IBAN = 'DE89370400440532013000'
  const wish = (person: Person, row: Record<string, string | null>) => person.insert('payment_wishes', row)
  beforeEach(() => olivia.sql`delete from payment_wishes`)
  const CHECK = rule('This IBAN is not valid. Please check it.')
  const HOLDER = rule('Please enter the account holder’s name.')
  const LINK = rule('Please enter a link that starts with https://')
  const REFUSED: [Record<string, string>, object][] = [
    ...['DE89370400440532013001', 'GB82WEST12345698765423', 'DE89', '', `${IBAN}; drop`].map(
      (iban): [Record<string, string>, object] => [{ kind: 'iban', iban, holder: 'Olivia' }, CHECK],
    ),
    [{ kind: 'iban', iban: IBAN, holder: ' ' }, HOLDER],
    ...[
      ...[
        'javascript:alert(1)',
        'http://pay.example/olivia',
        'https://paypal',
        'https://paypal.me@evil.example',
      ],
      // A Cyrillic letter, as such and in punycode; a URL written from right to left, and one that hides its
      // destination.
      ...['https://pаypal.me/olivia', 'https://xn--pypal-4ve.me/olivia', 'https://pay.xn--e1afmkfd.example'],
      ...[
        'https://pay.example/\u202emoc.lapyap',
        'https://pay\u200b.example',
        'https://pay.example\\@evil.example',
      ],
      ...['https://pay.example/\u0007', 'https://192.0.2.1/'],
    ].map((link): [Record<string, string>, object] => [{ kind: 'link', link }, LINK]),
    [{ kind: 'text', note: ' ' }, rule('Please tell members how to pay you')],
  ]
  test('is neither an account with a slip, nor a link that hides where it leads, nor nothing', async () => {
    for (const [row, refusal] of REFUSED)
      expect(await refusalOf(wish(olivia, row)), JSON.stringify(row)).toEqual(refusal)
  })

  const GROUPS = ['DE89', '3704', '0044', '0532', '0130', '00']
  const PASTED = [
    ...[' ', '\u00a0', '\u202f', '\u2009', '\u3000', '\t', '\n', '.', '-', '\u2011', '/', ' - '].map(
      (sign) => [GROUPS.join(sign), IBAN],
    ),
    ...['\u200b', '\u00ad', '\u2060', '\ufeff', '\u200e'].map((unseen) => [
      unseen + GROUPS.join(unseen),
      IBAN,
    ]),
    ...['IBAN:', 'iban ', 'IBAN\u00a0', 'IBAN-Nr.: ', 'IBAN n° ', 'IBAN no. ', 'IBAN numer ', 'IBAN'].map(
      (word) => [word + IBAN, IBAN],
    ),
    ['de89 3704 0044 0532 0130 00.', IBAN],
    ['ＤＥ８９ ３７０４ ００４４ ０５３２ ０１３０ ００', IBAN],
    ['GB82 WEST 1234 5698 7654 32', 'GB82WEST12345698765432'],
    ['IBAN NO93 8601 1117 947', 'NO9386011117947'],
  ]
  test('may be pasted in any form, and is read alike by database and programs', async () => {
    for (const [pasted = '', iban = ''] of PASTED) {
      const stored = await wish(olivia, { kind: 'iban', iban: pasted, holder: 'Olivia Brandt' })
      expect([stored.iban, toIban(pasted)], JSON.stringify(pasted)).toEqual([iban, iban])
      await olivia.sql`delete from payment_wishes`
    }
  })

  test('is judged alike by database and programs: country, length, form and check digits of an IBAN', async () => {
    const composed = (country: string, rest: string) => {
      const digits = [...rest, ...country].map((one) => parseInt(one, 36)).join('')
      return `${country}${String(98n - (BigInt(`${digits}00`) % 97n)).padStart(2, '0')}${rest}`
    }
    const countries = Object.entries(countrySpecs).filter(
      ([, { chars, bban_regexp }]) => chars && bban_regexp,
    )
    const sound = countries.map(([country, { bban_regexp }]) =>
      composed(
        country,
        String(bban_regexp).replaceAll(
          /\^|\$|\[(.)[^\]]*\](?:\{(\d+)\})?/g,
          (_, first = '', times = '1') => first && (first === '0' ? '1' : 'A').repeat(Number(times)),
        ),
      ),
    )
    const faulty = sound.flatMap((iban, at) => {
      const [country, rest] = [iban.slice(0, 2), iban.slice(4)]
      const endsInDigits = /\[0-9\](\{\d+\})?\$?$/.test(String(countries[at]?.[1].bban_regexp))
      return [
        iban.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
        composed('XX', rest),
        ...[`${rest}1`, rest.slice(1), ...(endsInDigits ? [rest.replace(/.$/, 'A')] : [])].map((one) =>
          composed(country, one),
        ),
      ]
    })
    const ibans = [...sound, ...faulty]
    const found =
      'select iban from unnest($1::text[]) with ordinality as one (iban, at) where private.is_iban(iban) order by at'
    const judged = (await db.query(found, [`{${ibans}}`])).map(({ iban }) => iban)
    expect(judged).toEqual(sound)
    expect(ibans.filter((iban) => toIban(iban) === iban)).toEqual(sound)
  })

  test('each digit that is wrong, and each two neighbours that are swapped, are noticed', async () => {
    const typos = [...IBAN].slice(2).flatMap((letter, at) => {
      const [start, next, rest] = [IBAN.slice(0, at + 2), IBAN[at + 3], IBAN.slice(at + 3)]
      const other = `${start}${(Number(letter) + 1) % 10}${rest}`
      return next && next !== letter ? [other, `${start}${next}${letter}${rest.slice(1)}`] : [other]
    })
    expect(typos.length).toBeGreaterThan(30)
    const found = `select typo from unnest($1::text[]) as typo where private.is_iban(typo)`
    expect(await db.query(found, [`{${typos}}`])).toEqual([])
  })

  test('is kept without what belongs to another kind, and read by members with a living seat alone', async () => {
    const row = { kind: 'link', link: ' https://pay.example/olivia ', iban: 'XX', holder: 'x' }
    const kept = { link: 'https://pay.example/olivia', iban: null, holder: null }
    expect(await wish(olivia, row)).toMatchObject(kept)
    const seen = (person: Person) => person.sql`select link, iban, holder from payment_wishes`
    expect([await seen(marc), await seen(zoe)]).toEqual([[kept], []])
    await marc.sql`select leave_seat(${seat}, true)`
    expect(await seen(marc)).toEqual([])
  })
})

describe('a payment', () => {
  const say = () => marc.sql`select say_paid(${payment}, 'By transfer on the first')`
  const confirm = () => olivia.sql`select confirm_payment(${payment})`
  const deny = (note: string) => olivia.sql`select deny_payment(${payment}, ${note})`

  test('is said to be paid, turned down with a sentence and received', async () => {
    expect(await refusalOf(deny('Nothing came'))).toEqual(rule('No one has said they paid this'))
    await say()
    expect(await state()).toEqual({ status: 'claimed', note: null, paid: false })
    for (const note of [' ', 'x'.repeat(301)])
      expect(await refusalOf(deny(note))).toEqual(rule('Please say what is missing, in up to 300 characters'))
    await deny('x'.repeat(300))
    expect(await state()).toEqual({ status: 'due', note: 'x'.repeat(300), paid: false })
    await confirm()
    expect(await state()).toEqual({ status: 'paid', note: null, paid: true })
    for (const again of [say, confirm])
      expect(await refusalOf(again())).toEqual(rule('This payment is not open'))
    expect([await told(olivia, 'member-says-paid'), await told(marc, 'payment-not-received')]).toEqual([1, 1])
  })

  test('has a reference of its own and, once received, a receipt number; no fee, no coins', async () => {
    await sql`update operator set name = 'Ann'`
    await Promise.allSettled(Array.from({ length: 10 }, confirm))
    expect(await told(marc, 'payment-received')).toBe(1)
    expect(
      await marc.sql`select reference, receipt_number, fee, coins, card, amount from member_payments`,
    ).toEqual([
      {
        ...{ fee: '0.00', coins: '0.00', card: '0.00', amount: '5.00' },
        reference: expect.stringMatching(/^PL-[0-9A-F]{8}-1$/),
        receipt_number: expect.stringMatching(/^D\d{4}-\d{6,}$/),
      },
    ])
    for (const { id } of [olivia, marc])
      await sql`update user_profiles set display_name = 'Somebody Else' where user_id = ${id}`
    expect(await marc.sql`select owner_name, member_name, seller_name from member_payments`).toEqual([
      { owner_name: 'Olivia', member_name: 'Marc', seller_name: null },
    ])
    expect(await sql`select id from coin_transactions`).toEqual([])
    expect(await sql`select user_id from user_wallets`).toEqual([])
  })

  test('is counted for both sides: due, said to be paid, paid, and what went back', async () => {
    const totals = async (whose: Person, isOwner = false, planId: string | null = null) =>
      (await whose.run(`select due, claimed, paid from payment_totals(${isOwner}, $1)`, [planId])).map(
        (row) => Object.values(row).map(Number),
      )[0]
    const both = async () => [
      await totals(marc),
      await totals(olivia, true),
      await totals(olivia, true, plan.id),
    ]
    const same = (...figures: number[]) => [figures, figures, figures]
    expect(await both()).toEqual(same(5, 0, 0))
    await sql`delete from payment_wishes where user_id = ${olivia.id}`
    expect(await both()).toEqual(same(0, 0, 0))
    await say()
    expect(await both()).toEqual(same(0, 5, 0))
    await confirm()
    await sql`update member_payments set owed_back = 1, repaid_at = now() where id = ${payment}`
    expect(await both()).toEqual(same(0, 0, 4))
    await sql`update member_payments set owed_back = 0, repaid_at = null, settlement = 'potluck', fee = 0.5,
      earned_share = 2, returned_share = 1, returned_fee = 0.1 where id = ${payment}`
    expect(await both()).toEqual([
      [0, 0, 4.4],
      [0, 0, 2],
      [0, 0, 2],
    ])
    expect([await totals(olivia), await totals(zoe), await totals(marc, true)]).toEqual(same(0, 0, 0))
    expect(await totals(olivia, true, 'sub-none')).toEqual([0, 0, 0])
  })

  test('of others is not there, neither to pay nor to look at', async () => {
    for (const call of [
      ...['say_paid($1)', 'confirm_payment($1)', `deny_payment($1, 'Nothing came')`, 'nudge_payment($1)'],
      'begin_payment($1, null)',
    ])
      expect(await refusalOf(zoe.run(`select ${call}`, [payment]))).toEqual(notFound('Payment not found'))
    expect(await refusalOf(olivia.sql`select say_paid(${payment})`)).toEqual(notFound('Payment not found'))
    expect(await refusalOf(marc.sql`select confirm_payment(${payment})`)).toEqual(
      notFound('Payment not found'),
    )
    expect(await zoe.sql`select id from member_payments`).toEqual([])
    expect(await zoe.sql`select own_charge(${payment}) as charge`).toEqual([{ charge: null }])
  })
})

describe('time', () => {
  test('reminds on the due date and 3 and 7 days after, once each; from the second on the seat is late', async () => {
    const seen: unknown[] = []
    for (const time of ['0', '0', '2 days 23 hours', '1 hour', '3 days 23 hours', '1 hour', '7 days']) {
      await pass(time)
      seen.push([await told(marc, 'payment-due'), await seats('status')])
    }
    const [active, late] = ['active', 'late']
    expect(seen).toEqual([
      ...[
        [1, active],
        [1, active],
        [1, active],
        [2, late],
        [2, late],
        [3, late],
        [3, late],
      ],
    ])
    await olivia.sql`select confirm_payment(${payment})`
    expect(await seats('status')).toBe('active')
  })

  test('lets the owner nudge once a day, and end the seat after 14 days and not before', async () => {
    const nudge = () => olivia.sql`select nudge_payment(${payment})`
    const end = () => olivia.sql`select end_late_seat(${seat})`
    await nudge()
    await wait('23 hours 59 minutes')
    expect(await refusalOf(nudge())).toEqual(rule('You can send one reminder a day'))
    await wait('1 minute')
    await nudge()
    expect(await told(marc, 'payment-nudge')).toBe(2)
    await wait('12 days 23 hours')
    expect(await refusalOf(end())).toEqual(rule('No payment is 14 days late'))
    await wait('1 hour')
    await end()
    expect(await seats('end_reason')).toBe('unpaid')
    expect(await marc.sql`select id from user_notifications where title = 'Membership Ended'`).toHaveLength(1)
    expect(await sql`select current_members from shared_subscriptions where id = ${plan.id}`).toEqual([
      { current_members: 1 },
    ])
  })

  test('tells both from when the place of a payment that was denied may be ended: 14 days after it was first due', async () => {
    await wait('2 days')
    await marc.sql`select say_paid(${payment}, 'By transfer')`
    await olivia.sql`select deny_payment(${payment}, 'Nothing here')`
    const [ends] =
      await sql`select first_due_at + interval '14 days' as at from member_payments where id = ${payment}`
    expect(await marc.sql`select (my_home() #>> '{tasks,0,lostAt}')::timestamptz as at`).toEqual([ends])
    expect(
      await olivia.sql`select may_end_over as over, may_end_from as at from plan_seats(${plan.id})`,
    ).toEqual([{ over: payment, ...ends }])
  })

  test('brings the next period at the boundary, whether or not the last is paid, until the member has left', async () => {
    await pass('70 days')
    expect(await payments('status')).toEqual(['due', 'due', 'due'])
    const [gap] = await sql`select bool_and(p.ends_at = n.starts_at) as whole from member_payments as p
      join member_payments as n on n.seat_id = p.seat_id and n.number = p.number + 1 where p.seat_id = ${seat}`
    expect(gap).toEqual({ whole: true })
    await marc.sql`select leave_seat(${seat})`
    await pass('32 days')
    expect(await seats('end_reason')).toBe('over')
    expect(await payments('number')).toEqual([1, 2, 3])
  })

  test('does each thing once, whoever looks for it, and what fails keeps nobody else waiting', async () => {
    const nina = await addPerson(db, 'Nina')
    await sql`select private.add_member(${plan.id}, ${nina.id}, false)`
    await letIn(db)
    await sql`update private.seats set anchor = '5874897-12-01' where member_id = ${nina.id}`
    await wait('32 days')
    await Promise.all(Array.from({ length: 10 }, work))
    expect(await payments('number')).toEqual([1, 2])
    expect([await told(marc, 'payment-due'), await told(nina, 'payment-due')]).toEqual([4, 0])
    const kept = () => sql`select failures from private.seats where member_id = ${nina.id}`
    expect(await kept()).toEqual([{ failures: 1 }])
    // Once the seat's date is repaired, its payments continue from where they were.
    await sql`update private.seats set anchor = (private.now() - interval '33 days')::date where member_id = ${nina.id}`
    await pass('1 day')
    expect(await kept()).toEqual([{ failures: 0 }])
    expect(await nina.sql`select max(number) as last from member_payments`).toEqual([{ last: 2 }])
  })

  test('does not move the boundaries of a period when its member moves', async () => {
    const before = await payments('ends_at')
    await marc.sql`select set_time_zone('Pacific/Kiritimati')`
    const nina = await addPerson(db, 'Nina')
    await nina.sql`select set_time_zone('America/Los_Angeles')`
    await sql`select private.add_member(${plan.id}, ${nina.id}, false)`
    await letIn(db)
    expect(await payments('ends_at')).toEqual(before)
    expect(
      await nina.sql`select (ends_at at time zone 'America/Los_Angeles')::time::text as at from member_payments`,
    ).toEqual([{ at: '00:00:00' }])
  })
})

describe('an owner who has not said how they are paid', () => {
  const tasks = async (person: Person) =>
    (await kinds(person)).filter((kind) => ['pay', 'say-how-to-pay'].includes(kind))
  const lateness = async () =>
    (await zoe.run('select paid_on_time, paid_late from standing_of($1)', [`{${marc.id}}`]))[0]
  const say = (person = marc) => person.sql`select say_paid(${payment})`

  test('is asked to, and their member is not asked to pay, reminded or late until they have', async () => {
    await olivia.sql`delete from payment_wishes`
    await pass('20 days')
    expect([await tasks(olivia), await tasks(marc)]).toEqual([['say-how-to-pay'], []])
    expect([await told(marc, 'payment-due'), await seats('status')]).toEqual([0, 'active'])
    expect(await lateness()).toEqual({ paid_on_time: 0, paid_late: 0 })
    expect(await olivia.sql`select unpaid_since from plan_seats(${plan.id})`).toEqual([
      { unpaid_since: null },
    ])
    expect(await refusalOf(olivia.sql`select nudge_payment(${payment})`)).toEqual(
      rule('Add payment details in Account Settings first'),
    )
    expect(await refusalOf(olivia.sql`select end_late_seat(${seat})`)).toEqual(
      rule('No payment is 14 days late'),
    )
    await olivia.insert('payment_wishes', WISH)
    await pass('1 minute')
    expect([await tasks(olivia), await tasks(marc), await told(marc, 'payment-due')]).toEqual([
      [],
      ['pay'],
      1,
    ])
    await pass('4 days')
    expect([await seats('status'), await lateness()]).toEqual(['late', { paid_on_time: 0, paid_late: 1 }])
    // Once the owner has removed the payment wish, the place is active again and the payment no longer counts as late.
    await olivia.sql`delete from payment_wishes`
    expect([await seats('status'), await lateness()]).toEqual(['active', { paid_on_time: 0, paid_late: 0 }])
  })

  test('has no late member in who pays all the same', async () => {
    await olivia.sql`delete from payment_wishes`
    await pass('20 days')
    await say()
    await olivia.sql`select confirm_payment(${payment})`
    expect(await lateness()).toEqual({ paid_on_time: 1, paid_late: 0 })
  })
})

test('access is not given by the approval: its clock starts with the payment, and it is asked of the owner', async () => {
  const nina = await addPerson(db, 'Nina')
  await sql`select private.add_member(${plan.id}, ${nina.id}, false)`
  const [own] = await nina.sql<{ id: string }>`select id from my_seats()`
  const state = async () =>
    (
      await sql`select access_given_at is not null as given, extract(epoch from access_due_at - private.now())::integer / 3600 as hours,
        (select starts_at is not null from member_payments where seat_id = s.id) as begun
        from private.seats as s where id = ${own?.id ?? ''}`
    )[0]
  const asked = async (person: Person) => (await kinds(person)).filter((kind) => kind.endsWith('-access'))
  const all = async () => [await state(), await asked(olivia), await asked(nina)]
  const NONE = { given: false, hours: null, begun: false }
  expect(await all()).toEqual([NONE, [], []])
  await nina.sql`select say_paid(id) from member_payments`
  await olivia.sql`select confirm_payment(id) from member_payments where member_id = ${nina.id}`
  expect(await all()).toEqual([{ ...NONE, hours: 48 }, ['give-access'], []])
  await olivia.sql`select give_access(${own?.id ?? ''}, 'nina@example.com')`
  expect(await all()).toEqual([{ given: true, hours: null, begun: true }, [], ['check-access']])
})

test('a calendar has what is open and what comes next, for who pays and for who is paid, once there is a way to pay', async () => {
  const days = (person: Person) =>
    person.sql`select receives, person, amount, due_at - min(due_at) over () > '20 days' as later from my_payment_days()`
  const both = (receives: boolean, person: string) =>
    [false, true].map((later) => ({ receives, person, amount: '5.00', later }))
  expect(await days(marc)).toEqual(both(false, 'Olivia'))
  expect(await days(olivia)).toEqual(both(true, 'Marc'))
  expect(await days(zoe)).toEqual([])
  await olivia.sql`select confirm_payment(${payment})`
  expect(await days(marc)).toMatchObject([{ receives: false, later: false }])
  await olivia.sql`delete from payment_wishes`
  expect(await days(marc)).toEqual([])
})

describe('new terms', () => {
  const propose = (settlement: string | null = 'direct') =>
    olivia.sql`select propose_terms(${plan.id}, ${settlement}) as asked`
  const proposal = async () =>
    (await sql<{ id: string }>`select id from term_proposals where member_id = ${marc.id}`)[0]?.id ?? ''
  const answer = (person: Person, id: string, agrees: boolean | null) =>
    person.sql`select answer_terms(${id}, ${agrees})`
  beforeEach(async () => {
    await sql`update private.seats set share = 4 where id = ${seat}`
    await sql`update shared_subscriptions set member_price = 4, total_price = 16 where id = ${plan.id}`
    expect(await propose()).toEqual([{ asked: 1 }])
  })

  test('are for whoever joins, and for a member who agrees, from the next period on', async () => {
    for (const [attempt, refusal] of [
      [() => propose(), rule('These are the current terms')],
      [() => propose(null), rule('Choose whether members pay you directly or through the site')],
      [() => propose('cash'), rule('Choose whether members pay you directly or through the site')],
      [async () => answer(zoe, await proposal(), true), notFound('This proposal is not open')],
      [async () => answer(marc, await proposal(), null), rule('Please accept or decline')],
    ] as const)
      expect(await refusalOf(attempt())).toEqual(refusal)
    expect(await seats('share')).toBe('4.00')
    await answer(marc, await proposal(), true)
    expect(await refusalOf(answer(marc, await proposal(), true))).toEqual(
      notFound('This proposal is not open'),
    )
    expect(await seats('share')).toBe('5.00')
    expect(await told(olivia, 'terms-accepted')).toBe(1)
    // A payment due by the old terms can still be made after the terms change.
    await sql`update private.seats set settlement = 'potluck', begins_at_once_at = now(), withdrawable_until = now() where id = ${seat}`
    expect(await marc.sql`select kind from payment_wishes`).toEqual([{ kind: 'text' }])
    await sql`update member_payments set status = 'cancelled' where id = ${payment}`
    expect(await marc.sql`select kind from payment_wishes`).toEqual([])
    await sql`update private.seats set settlement = 'direct' where id = ${seat}`
    await pass('32 days')
    expect((await payments('share')).at(-1)).toBe('5.00')
  })

  test('that nobody answers, or that are refused, leave the old ones, and the owner may end the seat with its period', async () => {
    await pass('32 days')
    expect((await payments('share')).at(-1)).toBe('4.00')
    await answer(marc, await proposal(), false)
    expect(await seats('share')).toBe('4.00')
    await olivia.sql`select end_seat_with_period(${seat})`
    expect(await seats('may_stay')).toBe(false)
    await pass('32 days')
    expect(await seats('end_reason')).toBe('over')
  })
})
