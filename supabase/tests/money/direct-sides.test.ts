// Paying each other directly, with all that both sides may do: stay silent, leave, come back, remove the other, deny or
// lie. Each row of the table has the actions of a story and its result; no deadline waits for a side that does nothing.
// Proves DIRECT 03 04, ACCESS 03, REP 01
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  addPerson,
  addStaff,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
  visitor,
} from '../people.ts'
import { approve, ask, join, type SharedPlan, sayingHowPaid, setTheTable, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()
const stella = await addStaff(db, 'Stella', 'super-admin')
const WISH = { kind: 'text', note: 'Cash at dinner' }
const HOW = 'By transfer on the first'
let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
let payment = ''
let seat = ''
/** Creates Olivia's plan with Marc's place and first payment, used by the steps below. */
const open = async () => {
  const table = await setTheTable(db)
  await table.olivia.insert('payment_wishes', WISH)
  const [row] = await table.marc.sql<{ id: string; seat_id: string }>`select id, seat_id from member_payments`
  return { ...table, payment: row?.id ?? '', seat: row?.seat_id ?? '' }
}
const sitAt = (table: Awaited<ReturnType<typeof open>>) => {
  ;({ olivia, marc, zoe, plan, payment, seat } = table)
}
const close = () => sql`delete from shared_subscriptions`
beforeEach(async () => sitAt(await open()))
afterEach(close)

const wait = async (time: string) => {
  await sql`update private.clock set ahead = ahead + ${time}::interval`
  for (let round = 0; round < 5; round++) await sql`select private.run_due_work()`
}
const anyone = visitor(db)
const mails = async (person: Person, event: string) =>
  sql<{
    path: string
    unsubscribe: string | null
  }>`select path, unsubscribe_path as unsubscribe
    from private.outgoing_mail where reader_id = ${person.id} and event = ${event} order by created_at`
const linkTo = async (person: Person, event: string) =>
  (await mails(person, event)).at(-1)?.path.replace('/answer/', '') ?? ''
const ban = async (person: Person) => {
  await sql`update auth.users set banned_until = now() + interval '10 years' where id = ${person.id}`
  await sql`select private.run_due_work()`
}
const dispute = async () =>
  (
    await sql<{
      id: string
    }>`select id from payment_claims where payment_id = ${payment} and status = 'disputed'`
  )[0]?.id

/** The actions of both sides, by their words in the stories. */
const STEPS: Record<string, () => Promise<unknown>> = {
  'no access yet': () =>
    sql`with seat as (update private.seats set access_given_at = null, anchor = null where id = ${seat})
      update member_payments set starts_at = null, ends_at = null where id = ${payment}`,
  'marc pays': () => marc.sql`select say_paid(${payment})`,
  'marc pays again': () => marc.sql`select say_paid(${payment}, ${HOW})`,
  'marc leaves': () => marc.sql`select leave_seat(${seat}, true)`,
  'marc leaves with the period': () => marc.sql`select leave_seat(${seat})`,
  'marc reports a problem': () => marc.sql`select report_problem(${seat}, 'password')`,
  'marc says where': () => marc.insert('payment_wishes', WISH),
  'marc has it back': () => marc.sql`select settle_owed(${seat})`,
  'marc has nothing back': () => marc.sql`select deny_repayment(${payment}, 'Nothing came')`,
  'marc asks again': () => ask(db, marc, plan),
  'marc is banned': () => ban(marc),
  'olivia is banned': () => ban(olivia),
  'olivia deletes her account': () => olivia.sql`select delete_own_account()`,
  'nobody may decide': async () => {
    const request = await ask(db, stella, plan)
    await sayingHowPaid(olivia, () => olivia.sql`select approve_subscription_request(${request}, ${plan.id})`)
  },
  'marc deletes his account': () => marc.sql`select delete_own_account()`,
  'olivia receives': () => olivia.sql`select confirm_payment(${payment})`,
  'olivia takes it back': () => olivia.sql`select unconfirm_payment(${payment})`,
  'olivia denies': () => olivia.sql`select deny_payment(${payment}, 'Nothing came')`,
  'olivia denies by mail': async () =>
    anyone.sql`select answer_payment_claim(${await linkTo(olivia, 'member-says-paid')}, false, 'Nothing came')`,
  'olivia gives access': () => olivia.sql`select give_access(${seat}, 'marc@example.com')`,
  'olivia removes marc': () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`,
  'olivia cancels': () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`,
  'olivia ends the late place': () => olivia.sql`select end_late_seat(${seat})`,
  'olivia ends it with the period': () => olivia.sql`select end_seat_with_period(${seat})`,
  'olivia lets it go': () => olivia.sql`select waive_payment(${payment})`,
  'olivia pays back': () => olivia.sql`select say_repaid(${payment})`,
  'olivia pays back again': () => olivia.sql`select say_repaid(${payment}, ${HOW})`,
  'olivia hides how to pay': () => olivia.sql`delete from payment_wishes`,
  'staff believes the payer': async () =>
    stella.sql`select decide_payment_claim(${(await dispute()) ?? ''}, true, 'The slip shows it')`,
  'staff believes the receiver': async () =>
    stella.sql`select decide_payment_claim(${(await dispute()) ?? ''}, false, 'No slip')`,
  'staff closes the debt': () => stella.sql`select close_debt(${payment}, 'Settled between them')`,
}
const play = async (story: string) => {
  for (const step of story.split(', ')) await (STEPS[step]?.() ?? wait(step))
}

/**
 * Returns the result: the payment, and how it was received; the place, and why it ended; the owner's debt; the amount
 * that the member left unpaid.
 */
const outcome = async () => {
  const [row] = await sql<
    Record<'status' | 'received_by' | 'end_reason' | 'owed' | 'unpaid' | 'amount' | 'unkept', string>
  >`
    select m.status, m.received_by, s.end_reason, private.owed_back(s.id) as owed, private.left_unpaid(m.owner_id, m.member_id) as unpaid,
      m.amount, private.unkept_debts(m.owner_id) as unkept
    from member_payments as m join private.seats as s on s.id = m.seat_id where m.id = ${payment}`
  if (!row) throw new Error('There is no payment')
  return [
    row.received_by ? `${row.status} by ${row.received_by}` : row.status,
    row.end_reason ?? 'lives',
    ...(row.owed === '0.00' ? [] : [`owed ${row.owed}`]),
    ...(row.unpaid ? [`unpaid ${row.amount}`] : []),
    ...(Number(row.unkept) > 0 ? ['unkept'] : []),
  ].join(', ')
}

/** Returns the hours in a step such as "6 days 23 hours"; 0 for an action. */
const hoursIn = (step: string) =>
  [...step.matchAll(/(\d+) (day|hour)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (unit === 'day' ? 24 : 1),
    0,
  )

// The steps of each story, and its end; some amounts depend on the moment. Each story has its own people, and all share
// a clock.
const STORIES: [story: string, end: string][] = [
  // The owner never answers.
  ['marc pays, 6 days 23 hours', 'claimed, lives'],
  ['marc pays, 7 days', 'paid by silence, lives'],
  ['no access yet, marc pays, 4 days 23 hours', 'claimed, lives'],
  ['no access yet, marc pays, 5 days', 'claimed, no-access'],
  ['no access yet, marc pays, 7 days', 'paid by silence, no-access, owed 5.00'],
  ['no access yet, marc pays, 5 days, olivia denies', 'cancelled, no-access'],
  ['no access yet, marc pays, 2 days, olivia receives, 2 days', 'paid by owner, no-access, owed 5.00'],
  ['no access yet, marc pays, 4 days, olivia gives access, 3 days', 'paid by silence, lives'],
  // The owner denies the payment, rightly or not.
  ['marc pays, olivia denies', 'due, lives'],
  ['marc pays, olivia denies, marc pays again', 'disputed, lives'],
  ['marc pays, olivia denies, marc pays again, staff believes the payer', 'paid by staff, lives'],
  ['marc pays, olivia denies, marc pays again, staff believes the receiver', 'due, lives'],
  ['marc pays, olivia denies, marc pays again, olivia receives', 'paid by owner, lives'],
  ['marc pays, olivia denies, marc pays again, 13 days 23 hours', 'disputed, lives'],
  ['marc pays, olivia denies, marc pays again, 14 days', 'cancelled, lives'],
  ['no access yet, marc pays, olivia denies, marc pays again, 5 days', 'disputed, no-access'],
  ['no access yet, marc pays, 5 days, olivia receives', 'paid by owner, no-access, owed 5.00'],
  ['marc pays, olivia denies, marc pays again, olivia ends it with the period, 32 days', 'cancelled, over'],
  // Denying a payment after the place has ended does not cost the member anything.
  ['marc pays, 1 day, olivia removes marc, olivia denies, marc pays again', 'disputed, removed'],
  ['marc pays, 2 days, olivia removes marc, 5 days', 'paid by silence, removed, owed'],
  // A member who never paid claims it once the place is gone: the owner loses nothing by answering within a year.
  ['no access yet, olivia removes marc, marc pays, olivia denies', 'cancelled, removed'],
  ['no access yet, olivia removes marc, marc pays, 30 days', 'paid by silence, removed, owed 5.00'],
  ['no access yet, olivia removes marc, marc pays, 30 days, olivia denies', 'disputed by silence, removed'],
  ['no access yet, olivia removes marc, marc pays, 30 days, olivia denies, 14 days', 'cancelled, removed'],
  [
    'no access yet, olivia removes marc, marc pays, 30 days, marc says where, 20 days, olivia denies, staff believes the payer, 29 days',
    'paid by staff, removed, owed 5.00',
  ],
  [
    'no access yet, olivia removes marc, marc pays, 30 days, marc says where, 20 days, olivia denies, staff believes the payer, 30 days',
    'paid by staff, removed, owed 5.00, unkept',
  ],
  // If no member of staff may decide, the owner's way out is to end the place, for which nothing is owed.
  ['marc pays, olivia denies, nobody may decide, marc pays again', 'cancelled, lives'],
  [
    'marc pays, olivia denies, nobody may decide, marc pays again, 2 days, olivia removes marc, marc asks again',
    'cancelled, removed',
  ],
  // Owners who are banned, and people who delete their account.
  ['marc pays, 5 days, olivia is banned, 3 days, 1 day 23 hours', 'claimed, suspended'],
  ['marc pays, 5 days, olivia is banned, 3 days, 2 days', 'paid by silence, suspended, owed'],
  ['marc pays, 5 days, olivia is banned, 3 days, olivia denies by mail', 'cancelled, suspended'],
  ['marc pays, 5 days, marc is banned, 3 days, 2 days', 'paid by silence, suspended'],
  ['25 hours, olivia is banned, 3 days', 'cancelled, suspended'],
  ['25 hours, marc is banned, 3 days', 'due, suspended, unpaid 0.1'],
  ['marc pays, 1 day, olivia deletes her account, 6 days', 'paid by silence, cancelled, owed'],
  ['marc pays, 1 day, marc deletes his account, 6 days', 'paid by silence, left'],
  ['25 hours, marc deletes his account', 'due, left, unpaid 5.00'],
  // "Received", taken back.
  ['olivia receives, olivia takes it back', 'due, lives'],
  ['marc pays, olivia receives, olivia takes it back', 'claimed, lives'],
  ['marc pays, olivia receives, olivia takes it back, 7 days', 'paid by silence, lives'],
  // The member uses the place and does not pay.
  ['23 hours, marc leaves', 'cancelled, left'],
  ['25 hours, marc leaves', 'due, left, unpaid 5.00'],
  ['25 hours, marc leaves, olivia lets it go', 'cancelled, left'],
  ['25 hours, marc leaves, olivia receives', 'paid by owner, left'],
  ['25 hours, marc leaves, marc pays', 'claimed, left, unpaid 5.00'],
  ['25 hours, marc leaves, marc pays, 29 days', 'claimed, left, unpaid 5.00'],
  ['25 hours, marc leaves, marc pays, 30 days', 'paid by silence, left'],
  ['25 hours, marc leaves, marc pays, 30 days, olivia denies', 'disputed by silence, left'],
  [
    '25 hours, marc leaves, marc pays, 30 days, olivia denies, staff believes the receiver',
    'due, left, unpaid 5.00',
  ],
  [
    '25 hours, marc leaves, marc pays, 30 days, olivia denies, staff believes the payer',
    'paid by staff, left',
  ],
  ['25 hours, marc leaves, 366 days', 'due, left'],
  ['marc pays, marc leaves, olivia denies', 'cancelled, left'],
  ['25 hours, marc pays, marc leaves, olivia denies', 'due, left, unpaid 5.00'],
  ['marc leaves with the period, 32 days', 'due, over, unpaid 5.00'],
  ['15 days, olivia ends the late place', 'due, unpaid, unpaid'],
  ['25 hours, olivia removes marc', 'due, removed, unpaid 0.'],
  ['25 hours, olivia cancels', 'due, cancelled, unpaid 0.'],
  ['25 hours, marc reports a problem, marc leaves', 'cancelled, left'],
  ['25 hours, olivia hides how to pay, marc leaves', 'cancelled, left'],
  ['marc leaves, marc pays, 30 days', 'paid by silence, left'],
  // The owner owes the member money.
  ['olivia receives, 1 day, olivia removes marc, marc has it back', 'paid by owner, removed'],
  ['olivia receives, 1 day, olivia removes marc, 29 days', 'paid by owner, removed, owed'],
  [
    'olivia receives, 1 day, olivia removes marc, marc says where, 30 days',
    'paid by owner, removed, owed UNKEPT',
  ],
  [
    'olivia receives, 1 day, olivia removes marc, 30 days, marc says where, 30 days',
    'paid by owner, removed, owed',
  ],
  [
    'olivia receives, 1 day, olivia removes marc, marc says where, marc deletes his account, 30 days',
    'paid by owner, removed, owed',
  ],
  ['olivia receives, 1 day, olivia removes marc, olivia pays back, 30 days', 'paid by owner, removed'],
  [
    'olivia receives, 1 day, olivia removes marc, olivia pays back, marc has nothing back',
    'paid by owner, removed, owed',
  ],
  [
    'olivia receives, 1 day, olivia removes marc, olivia pays back, 30 days, marc has nothing back, staff believes the receiver',
    'paid by owner, removed, owed',
  ],
  [
    'olivia receives, 1 day, olivia removes marc, olivia pays back, marc has nothing back, olivia pays back again, staff believes the payer',
    'paid by owner, removed',
  ],
  [
    'olivia receives, 1 day, olivia removes marc, olivia pays back, marc has nothing back, olivia pays back again, 14 days',
    'paid by owner, removed',
  ],
  [
    'olivia receives, 1 day, olivia removes marc, marc says where, 30 days, staff closes the debt',
    'paid by owner, removed',
  ],
]
test('who answers when: each story ends as the table says', async () => {
  const begin = async (story: string) => ({
    story,
    at: 0,
    left: story.split(', '),
    table: await open(),
    seen: '',
  })
  const stories: Awaited<ReturnType<typeof begin>>[] = []
  for (const [story] of STORIES) stories.push(await begin(story))
  /** Plays the story's actions that are due at the present moment. */
  const goOn = async (story: (typeof stories)[number]) => {
    sitAt(story.table)
    for (let step = story.left.shift(); step !== undefined; step = story.left.shift()) {
      story.at += hoursIn(step)
      if (hoursIn(step) > 0) return
      await play(step)
    }
    story.seen = await outcome()
    story.at = Number.POSITIVE_INFINITY
    await sql`delete from shared_subscriptions where id = ${plan.id}`
  }
  for (let now = 0; now < Number.POSITIVE_INFINITY; ) {
    for (const story of stories.filter(({ at }) => at === now)) await goOn(story)
    const next = Math.min(...stories.map(({ at }) => at))
    if (next < Number.POSITIVE_INFINITY) await wait(`${next - now} hours`)
    now = next
  }
  const pattern = (end: string) =>
    end.replace('UNKEPT', '[\\d.]+, unkept').replace(/(owed|unpaid|0\.1?)$/, '$&[ \\d.]*')
  expect(stories.map(({ story, seen }) => [story, seen])).toEqual(
    STORIES.map(([story, end]) => [story, expect.stringMatching(new RegExp(`^${pattern(end)}$`))]),
  )
})

test('what nobody answered is marked in both sides’ statements of the year', async () => {
  const parts = async (person: Person) =>
    (
      await sql<{ moved: string }>`
        select concat_ws(' ', r ->> 'kind', r ->> 'part') as moved from jsonb_array_elements(
          private.statement_of(${person.id}, extract(year from private.now())::integer) -> 'rows') as r`
    ).map(({ moved }) => moved)
  await play('marc pays, 7 days')
  expect(await parts(marc)).toEqual(['payment unanswered'])
  expect(await parts(olivia)).toEqual(['earning unanswered'])
  await play('1 day, olivia removes marc, olivia pays back, 30 days')
  expect(await parts(marc)).toContain('refund unanswered')
  expect(await parts(olivia)).toContain('refund-sent unanswered')
})

describe('a claim', () => {
  test('asks at once and after 1, 3 and 6 days by mails that cannot be turned off, and each link answers it', async () => {
    await olivia.sql`select set_mail_preference(false)`
    await play('marc pays')
    const counts = [(await mails(olivia, 'member-says-paid')).length]
    for (const time of ['23 hours', '1 hour', '2 days', '3 days']) {
      await wait(time)
      counts.push((await mails(olivia, 'member-says-paid')).length)
    }
    expect(counts).toEqual([1, 1, 2, 3, 4])
    const sent = await mails(olivia, 'member-says-paid')
    expect(sent.every(({ path, unsubscribe }) => path.startsWith('/answer/') && unsubscribe === null)).toBe(
      true,
    )
    const [first, last] = [sent[0], sent[3]].map((mail) => mail?.path.replace('/answer/', '') ?? '')
    expect(
      await anyone.sql`select kind, amount, payer_name, status, may_deny from get_payment_claim(${first ?? ''})`,
    ).toEqual([{ kind: 'payment', amount: '5.00', payer_name: 'Marc', status: 'open', may_deny: true }])
    expect(await refusalOf(anyone.sql`select answer_payment_claim(${last ?? ''}, null)`)).toEqual(
      rule('Please say whether it arrived'),
    )
    await anyone.sql`select answer_payment_claim(${last ?? ''}, true)`
    expect(await outcome()).toBe('paid by owner, lives')
    for (const received of [true, false])
      expect(
        await refusalOf(anyone.sql`select answer_payment_claim(${first ?? ''}, ${received}, 'No')`),
      ).toEqual(rule('This has been answered'))
    expect(await refusalOf(anyone.sql`select answer_payment_claim('no-such-link', true)`)).toMatchObject({
      code: 'PT404',
    })
  })

  test('is denied by its link, and so is money that was to be paid back', async () => {
    await play('marc pays')
    await anyone.sql`select answer_payment_claim(${await linkTo(olivia, 'member-says-paid')}, false, 'Nothing came')`
    expect(await outcome()).toBe('due, lives')
    await play('olivia receives, 1 day, olivia removes marc, olivia pays back')
    await anyone.sql`select answer_payment_claim(${await linkTo(marc, 'payment-back-claimed')}, false, 'Nothing came')`
    expect(await outcome()).toMatch(/owed/)
    await play('olivia pays back again, staff believes the payer')
    expect(await outcome()).toBe('paid by owner, removed')
  })

  test('after a denial is due in 7 days with full reminders, while the place may be ended 14 days after it first was', async () => {
    await play('8 days, marc pays, olivia denies')
    expect(
      await marc.sql`select due_at - first_due_at > '14 days' as later, reminders from member_payments`,
    ).toEqual([{ later: true, reminders: 0 }])
    await wait('6 days 23 hours')
    expect(await refusalOf(olivia.sql`select end_late_seat(${seat})`)).toEqual(
      rule('No payment is 14 days late'),
    )
    await play('1 hour, olivia ends the late place')
    expect(await outcome()).toMatch(/^due, unpaid/)
  })

  test('goes to staff a second time only with how and when, and to nobody in the plan', async () => {
    await play('marc pays, olivia denies')
    expect(await refusalOf(marc.sql`select say_paid(${payment})`)).toEqual(
      rule('Please say how and when you paid, in up to 500 characters'),
    )
    await play('marc pays again')
    const [listed] =
      await stella.sql`select kind, note, denial, owner_name, member_name from list_payment_disputes()
      where owner_id = ${olivia.id}`
    expect(listed).toEqual({
      kind: 'payment',
      note: HOW,
      denial: 'Nothing came',
      owner_name: 'Olivia',
      member_name: 'Marc',
    })
    const id = (await dispute()) ?? ''
    expect(await refusalOf(olivia.sql`select decide_payment_claim(${id}, true, 'Mine')`)).toMatchObject({
      code: '42501',
    })
    expect(await refusalOf(olivia.sql`select * from list_payment_disputes()`)).toMatchObject({
      code: '42501',
    })
    expect(await refusalOf(stella.sql`select decide_payment_claim(${id}, true, ' ')`)).toEqual(
      rule('Please give both a reason, in up to 500 characters'),
    )
    await join(db, stella, plan)
    expect(await refusalOf(stella.sql`select decide_payment_claim(${id}, true, 'Mine')`)).toMatchObject({
      code: '42501',
    })
    expect(await stella.sql`select id from list_payment_disputes() where owner_id = ${olivia.id}`).toEqual([])
    await play('olivia receives')
    expect(await refusalOf(stella.sql`select decide_payment_claim(${id}, true, 'Late')`)).toEqual(
      notFound('This dispute is not open'),
    )
  })

  test('of the third dispute of one person staff is told', async () => {
    const told = async () =>
      (
        await stella.sql`select id from user_notifications where event = 'payment-disputes-often' and params ->> 'id' = ${marc.id}`
      ).length
    await play('marc pays, olivia denies')
    for (const [round, before] of [1, 2, 3].map((round) => [round, round < 3 ? 0 : 1] as const)) {
      await play('marc pays again, staff believes the receiver')
      expect([round, await told()]).toEqual([round, before])
    }
  })
})

test('"Received" is taken back once, within a day, with its receipt and the bank entry, and not once something is owed', async () => {
  const back = () => olivia.sql`select unconfirm_payment(${payment})`
  const receipt = async () =>
    (
      await sql<{ it: string | null }>`select receipt_number as it from member_payments where id = ${payment}`
    )[0]?.it
  const LATE = rule('You can take this back once, within 24 hours')
  expect(await refusalOf(back())).toEqual(LATE)
  const [owed] = await sql<{ reference: string }>`select reference from member_payments where id = ${payment}`
  const entry = JSON.stringify([
    {
      key: 'a',
      amount: 5,
      currency: 'EUR',
      booked: '2026-11-01',
      name: 'Marc',
      text: owed?.reference,
      payment,
    },
  ])
  const import_ = async () =>
    (await olivia.run('select fate from confirm_direct_payments($1)', [entry]))[0]?.fate
  expect(await import_()).toBe('done')
  const number = await receipt()
  await back()
  expect([await outcome(), await receipt()]).toEqual(['due, lives', null])
  expect(await import_()).toBe('done')
  expect(await receipt()).not.toBe(number)
  expect(await refusalOf(back())).toEqual(LATE)
  await sql`update member_payments set unconfirmed_at = null where id = ${payment}`
  await wait('1 day')
  expect(await refusalOf(back())).toEqual(LATE)
  await sql`update member_payments set paid_at = private.now() where id = ${payment}`
  await play('olivia removes marc')
  expect(await refusalOf(back())).toEqual(
    rule('This place has ended or you owe a refund for it, so the payment stays as it is'),
  )
})

describe('no way in', () => {
  const UNPAID = rule('You left a place with this owner unpaid. Pay it first, or ask them to let it go.')
  const CLOSED = rule('This plan takes no new members right now')
  const another = () => sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
  const invited = async (other: SharedPlan) => {
    await sayingHowPaid(olivia, () => olivia.sql`select invite_member(${other.id}, ${marc.email})`)
    const [row] = await marc.sql<{
      id: string
    }>`select id from subscription_invitations where subscription_id = ${other.id}`
    return () => marc.sql`select accept_invitation(${row?.id ?? ''})`
  }
  const shareMore = () => refusalOf(sharePlan(db, olivia, { catalogueId: 'tidal-family' }))

  test('for a member who left unpaid, by request, invitation, waiting list or approval, until it is paid, let go or a year old', async () => {
    const other = await another()
    const accept = await invited(other)
    const request = await ask(db, marc, other)
    await play('25 hours, marc leaves')
    for (const attempt of [
      () => ask(db, marc, plan),
      accept,
      () => marc.sql`select join_waiting_list(${plan.id})`,
    ])
      expect(await refusalOf(attempt())).toEqual(UNPAID)
    const OWNERS = rule(
      'This person left one of your places unpaid. Let that go first, or wait until it’s paid.',
    )
    expect(await refusalOf(approve(db, other, request))).toEqual(OWNERS)
    expect(
      await refusalOf(
        sayingHowPaid(olivia, () => olivia.sql`select invite_member(${plan.id}, ${marc.email})`),
      ),
    ).toEqual(OWNERS)
    // The member's second account begins without a history, and waits for the owner's answer like all people whom the
    // owner does not know.
    const second = await addPerson(db, 'Marc')
    await ask(db, second, plan)
    expect(await second.sql`select status from subscription_requests`).toEqual([{ status: 'pending' }])
    await play('olivia lets it go')
    await approve(db, other, request)
  })

  test('for anybody to an owner who has not paid back, nor another plan for that owner, until it is settled', async () => {
    const other = await another()
    const request = await ask(db, zoe, other)
    await play('olivia receives, 1 day, olivia removes marc, marc says where, 29 days')
    await ask(db, marc, plan)
    await play('1 day')
    const OWNERS = rule('You owe a member a refund. Pay it back before you take new members.')
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(CLOSED)
    expect(await refusalOf(zoe.sql`select join_waiting_list(${plan.id})`)).toEqual(CLOSED)
    expect(await refusalOf(approve(db, other, request))).toMatchObject({ code: '23514' })
    expect(
      await refusalOf(
        sayingHowPaid(olivia, () => olivia.sql`select invite_member(${plan.id}, 'somebody@example.com')`),
      ),
    ).toEqual(OWNERS)
    expect(await shareMore()).toEqual(rule('You owe a member a refund. Pay it back before you share a plan.'))
    const facts = async () =>
      (await zoe.run('select unkept_debts from standing_of($1)', [`{${olivia.id}}`]))[0]
    expect(await facts()).toEqual({ unkept_debts: 1 })
    await play('olivia pays back')
    expect(await facts()).toEqual({ unkept_debts: 0 })
    expect(await refusalOf(olivia.sql`select say_repaid(${payment})`)).toEqual(rule('Nothing is owed here'))
    await ask(db, zoe, plan)
  })
})

test('a payment that nobody confirmed counts for nobody’s standing, one left unpaid counts as late', async () => {
  const facts = async () =>
    (await marc.run('select paid_on_time, paid_late from standing_of($1)', [`{${marc.id}}`]))[0]
  await play('marc pays, 7 days')
  expect(await facts()).toEqual({ paid_on_time: 0, paid_late: 0 })
  await sql`update member_payments set status = 'due', paid_at = null, received_by = null, claimed_at = null,
    due_at = private.now() where id = ${payment}`
  await play('25 hours, marc leaves')
  expect(await facts()).toEqual({ paid_on_time: 0, paid_late: 1 })
  await play('olivia lets it go')
  expect(await facts()).toEqual({ paid_on_time: 0, paid_late: 0 })
})

test('who owes sees where to pay, and nobody else: the member who left, and the owner who owes', async () => {
  const seen = (person: Person, whose: Person) =>
    person.sql`select note from payment_wishes where user_id = ${whose.id}`
  await play('25 hours, marc leaves, marc says where')
  expect([await seen(marc, olivia), await seen(olivia, marc)]).toEqual([[{ note: WISH.note }], []])
  await play('olivia receives')
  expect(await seen(marc, olivia)).toEqual([])
  await sql`update member_payments set owed_back = 1, owed_since = private.now() where id = ${payment}`
  expect(await seen(olivia, marc)).toEqual([{ note: WISH.note }])
  await play('marc has it back')
  expect(await seen(olivia, marc)).toEqual([])
})

test('a gap in which nothing ran moves the deadlines of both', async () => {
  await play('marc pays')
  const deadline = async () =>
    (
      await sql`select (answer_by - private.now())::text as it from payment_claims where payment_id = ${payment} and status = 'open'`
    )[0]?.it
  const before = await deadline()
  await sql`update private.clock set beat_at = now() - interval '5 days'`
  await sql`select private.run_due_work()`
  expect(before).toMatch(/^(6 days 23|7 days)/)
  expect(await deadline()).toMatch(/^(11 days 23|12 days)/)
})
