// Reaching a guest, and what a link opens besides the payments: mails to the address that the owner enters, notes, the plan's login with a
// PIN, the calendar feed, and reports.
//
// | who                                  | does                                       | result                                            |
// |--------------------------------------|--------------------------------------------|---------------------------------------------------|
// | owner                                | enters an address                          | the guest gets a link, in the language chosen     |
// | owner who enters strangers           | enters addresses that nobody opens         | an invitation and one reminder each, then nothing |
// | owner who opens the links themself   | to go on mailing                           | only the links in mails count as opened           |
// | owner who enters an address again    | removed, under two names, with a plus sign | it is the same mailbox                            |
// | holder of the address                | stops the mails                            | no owner reaches it, under any name               |
// | owner with a stop link of their own  | enters the stopped address as theirs       | the link stops and allows its own mailbox alone   |
// | stranger at a mistyped address       | after it was corrected                     | their links are over                              |
// | owner with a guest's link            | reads, reports, accepts for the guest      | sees no report; the guest is told of the share    |
// | guest who has paid or opened the page|                                            | the mail that was about to ask is not sent        |
// | owner                                | reminds a guest with, without an address   | a mail; a link to pass on                         |
// | guest, owner                         | write notes                                | the other side is told; 20 a day                  |
// | guest whose login is open            | types the PIN                              | login, recorded by name                           |
// | finder of the link                   | guesses the PIN                            | five tries; the owner is told; even the PIN fails |
// | owner who makes a new link           |                                            | old links, feed and waiting mails end             |
// | guest of a suspended owner           | types the PIN                              | nothing                                           |
// | three guests                         | report the owner                           | no guest sees how to pay until the staff decide   |
// | one guest                            | reports three times                        | counts once                                       |
// | who took over the place              | before, after the owner's word             | sees neither address nor notes; notes are chat    |
// | owner who never answers a claim      |                                            | is asked again each week                          |
// | who took over and is banned          |                                            | the place is taken back as usual                  |
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, notFound, rule, single } from '../answers.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { sayHowPaid } from '../plans.ts'
import { storeEntry, storeLogin } from '../vault-entries.ts'

const { db, sql, VISITOR } = await ownDatabase()

let olivia: Person
let plan = ''
beforeEach(async () => {
  await sql`update private.clock set ahead = '0'`
  olivia = await addPerson(db, 'Olivia Miller')
  await sayHowPaid(olivia)
  plan =
    await single(olivia.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, is_private)
    values ('spotify-premium-family', 5, current_date + 30, true) returning id`)
})

const add = (name: string, email: string | null = null, language: string | null = null) =>
  single(olivia.sql`select add_guest(${plan}, ${name}, ${email}, ${language})`)
interface Place {
  email: string | null
  opensAccess: boolean
  hasCalendar: boolean
  wish: object | null
  paused: boolean
  notes: { byOwner: boolean; text: string }[]
  payments: { id: string; status: string }[]
}
const place = (secret: string) => single<Place>(VISITOR.sql`select my_place(${secret})`)
const mum = (name = 'Mum') =>
  single(
    sql`select user_id from private.user_profiles where guest_of = ${olivia.id} and display_name = ${name}`,
  )
const mailsTo = (email: string) =>
  sql<{ event: string; path: string; unsubscribe_path: string }>`
    select event, path, unsubscribe_path from private.outgoing_mail where recipient = ${email} order by created_at, id`
const eventsTo = async (email: string) => (await mailsTo(email)).map(({ event }) => event)
const wait = async (time: string) => {
  await sql`update private.clock set ahead = ahead + ${time}::interval`
  while (Number(await single(sql`select private.run_due_work()`)) > 0);
}
/** The secret of the link in a mail. */
const secretIn = (mail: { path: string } | undefined) => String(mail?.path).replace('/place#', '')
/** An address that no other test uses. */
const address = () => `mum.${Math.random().toString(36).slice(2)}@example.com`

describe('mail', () => {
  test('invites a guest in the language that the owner chose, with a link of its own', async () => {
    const email = address()
    await expectRefusal(add('Mum', 'mum at home'), rule('Valid email is required'))
    await expectRefusal(add('Mum', email, '__proto__'), { code: '23514' })
    await add('Mum', ` ${email.toUpperCase()} `, 'de')
    const [mail] = await mailsTo(email)
    expect(mail?.event).toBe('guest-added')
    expect((await place(secretIn(mail))).email).toBe(email)
    const leased =
      await sql`select recipient, language from private.lease_due_mails(100) where recipient = ${email}`
    expect(leased).toEqual([{ recipient: email, language: 'de' }])
    expect(await olivia.sql`select email, language, mailable from plan_guests(${plan})`).toEqual([
      { email, language: 'de', mailable: true },
    ])
  })

  test('asks for payments, unless the guest has looked or the payment is settled meanwhile', async () => {
    const email = address()
    const secret = await add('Mum', email)
    const due = (await place(secretIn((await mailsTo(email))[0]))).payments[0]?.id
    await wait('1 day')
    expect(await single(olivia.sql`select remind_guest(${due})`)).toBeNull()
    expect(await eventsTo(email)).toContain('payment-nudge')
    // The owner has links too, and cannot keep a mail from the guest by opening one.
    await place(secret)
    expect(await eventsTo(email)).toContain('payment-nudge')
    await place(secretIn((await mailsTo(email))[0]))
    expect(await eventsTo(email)).toEqual(['guest-added'])
    // Without an address, the owner passes the reminder on.
    await olivia.sql`select set_guest_address(${await mum()}, '')`
    await wait('2 days')
    expect(await single(olivia.sql`select remind_guest(${due})`)).toMatch(/^[0-9a-z]{32}$/)
  })

  test('leaves a mailbox alone in which nobody opens anything, however it is entered', async () => {
    const email = address()
    const secret = await add('Mum', email)
    await place(secret)
    await wait('1 day')
    await wait('14 days')
    expect(await eventsTo(email)).toEqual(['guest-added', 'payment-due'])
    expect(await olivia.sql`select mailable from plan_guests(${plan})`).toEqual([{ mailable: false }])
    await olivia.sql`select set_guest_address(${await mum()}, '')`
    await olivia.sql`select set_guest_address(${await mum()}, ${email})`
    await VISITOR.sql`select place_forgets(${secret})`
    const tagged = email.replace('@', '+2@')
    await add('Mother', tagged)
    expect(await eventsTo(tagged)).toEqual([])
    expect(await eventsTo(email)).toEqual([])
  })

  test('ends for a mailbox at one press, whoever enters it, and only its own link allows it again', async () => {
    const [email, own] = [address(), address()]
    await add('Mum', email)
    const tokenTo = async (mailbox: string) => (await mailsTo(mailbox))[0]?.unsubscribe_path.split('/').at(-1)
    const token = await tokenTo(email)
    await place(secretIn((await mailsTo(email))[0]))
    await VISITOR.sql`select set_mail_preference_by_link(${token}, false)`
    expect(await eventsTo(email)).toEqual([])
    await add('Me', own)
    const attackers = await tokenTo(own)
    await olivia.sql`select set_guest_address(${await mum('Me')}, ${email})`
    await VISITOR.sql`select set_mail_preference_by_link(${attackers}, true)`
    await olivia.sql`select note_to_guest(${await mum()}, 'Hello')`
    expect(await eventsTo(email)).toEqual([])
    await VISITOR.sql`select set_mail_preference_by_link(${token}, true)`
    await olivia.sql`select note_to_guest(${await mum()}, 'Go to evil.example')`
    expect(await eventsTo(email)).toEqual(['owner-note'])
    expect(await sql`select from private.outgoing_mail where params::text like '%evil%'`).toEqual([])
    await expectRefusal(VISITOR.sql`select set_mail_preference_by_link('unknown', true)`, { code: 'PT404' })
  })

  test('is over for a stranger once a mistyped address is corrected', async () => {
    const [wrong, right] = [address(), address()]
    await add('Mum', wrong)
    const stranger = secretIn((await mailsTo(wrong))[0])
    await olivia.sql`select set_guest_address(${await mum()}, ${right})`
    await expectRefusal(place(stranger), { code: 'PT404' })
    expect((await place(secretIn((await mailsTo(right))[0]))).email).toBe(right)
  })

  test('and name, address and words are gone when the guest says so', async () => {
    const [first, second] = [address(), address()]
    await add('Mum', first)
    await olivia.sql`select renew_place_link(${await mum()})`
    expect(await eventsTo(first)).toEqual([])
    const secret = await add('Gertrud', second)
    await VISITOR.sql`select place_note(${secret}, 'Words of Gertrud')`
    const seat = await single(sql`select id from private.seats where member_id = ${await mum('Gertrud')}`)
    await olivia.run('select give_access($1, $2)', [seat, second])
    await sql`update private.outgoing_mail set sent_at = now() where recipient = ${second} and event = 'guest-added'`
    await VISITOR.sql`select place_forgets(${secret})`
    const tables = await columnOf(sql`select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname in ('public', 'private', 'auth')`)
    for (const table of tables)
      expect(
        await db.query(
          `select 1 as found from ${table} as t where t::text ilike '%gertrud%' or t::text like '%${second}%'`,
        ),
        table,
      ).toEqual(
        table === 'public.member_payments' || table === 'private.sealed_records' ? expect.anything() : [],
      )
  })

  test('tells a guest that the place has ended, without a link once the owner is gone', async () => {
    const email = address()
    await add('Mum', email)
    await olivia.sql`select delete_own_account()`
    expect((await mailsTo(email)).map(({ event, path }) => [event, path])).toEqual([['place-ended', '/']])
  })
})

test('links end 30 days after the place, also those of reminders, and a stolen one can still be replaced', async () => {
  const secret = await add('Mum')
  await VISITOR.sql`select place_calendar(${secret}, true)`
  const due = (await place(secret)).payments[0]?.id
  await wait('3 days')
  const guest = await mum()
  await VISITOR.sql`select place_leaves(${secret})`
  await wait('20 days')
  const renewed = await single(olivia.sql`select renew_place_link(${guest})`)
  await expectRefusal(place(secret), { code: 'PT404' })
  const reminder = await single(olivia.sql`select remind_guest(${due})`)
  expect((await place(reminder)).payments[0]?.id).toBe(due)
  await wait('11 days')
  for (const over of [renewed, reminder]) await expectRefusal(place(over), { code: 'PT404' })
  await expectRefusal(olivia.sql`select renew_place_link(${guest})`, { code: 'PT404' })
})

test('a guest is told of a share that was accepted with a link, since the owner may have one', async () => {
  const email = address()
  plan = await single(olivia.sql`insert into shared_subscriptions
    (provider, name, total_price, cycle_months, max_members, next_payment)
    values ('Kagi', 'Family', 12, 1, 4, current_date + 1) returning id`)
  const secret = await add('Mum', email)
  await place(secretIn((await mailsTo(email))[0]))
  await olivia.sql`select propose_shares(${plan}, 40)`
  const { terms } = await single<{ terms: { id: string } }>(VISITOR.sql`select my_place(${secret})`)
  await VISITOR.sql`select place_answered_terms(${secret}, ${terms.id}, true)`
  expect(await eventsTo(email)).toContain('share-agreed')
  for (const name of ['See https://evil.example', 'Potluck Support', 'Mail me@evil.example'])
    await expectRefusal(
      olivia.run(
        `insert into shared_subscriptions (provider, name, total_price, cycle_months, max_members, next_payment)
         values ($1, 'Family', 12, 1, 4, current_date + 1)`,
        [name],
      ),
      { code: '23514' },
    )
})

test('nothing about a guest is left when they are forgotten while others act', async () => {
  for (let round = 0; round < 4; round++) {
    const secret = await add(`Mum ${round}`)
    const guest = await mum(`Mum ${round}`)
    const outcomes = await Promise.allSettled([
      olivia.sql`select set_guest_address(${guest}, ${address()})`,
      olivia.sql`select set_guest_access(${guest}, true)`,
      olivia.sql`select note_to_guest(${guest}, 'Hello')`,
      VISITOR.sql`select place_note(${secret}, 'Hello')`,
      VISITOR.sql`select place_calendar(${secret}, true)`,
      VISITOR.sql`select place_forgets(${secret})`,
    ])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'PT404' })
    for (const [table, column] of [
      ['private.guests', 'person_id'],
      ['private.place_links', 'person_id'],
      ['private.calendars', 'user_id'],
    ])
      expect(await db.query(`select * from ${table} where ${column} = '${guest}'`), table).toEqual([])
    expect(
      await sql`select from private.place_notes join private.seats as s on s.id = seat_id where s.member_id = ${guest}`,
    ).toEqual([])
  }
})

test('notes go both ways, 20 a day, and are told without their words', async () => {
  const secret = await add('Mum')
  await VISITOR.sql`select place_note(${secret}, 'Which login?')`
  await olivia.sql`select note_to_guest(${await mum()}, 'I will call you')`
  expect((await place(secret)).notes).toMatchObject([
    { byOwner: false, text: 'Which login?' },
    { byOwner: true, text: 'I will call you' },
  ])
  expect(await olivia.sql`select jsonb_array_length(notes) as notes from plan_guests(${plan})`).toEqual([
    { notes: 2 },
  ])
  expect(
    await columnOf(olivia.sql`select message from user_notifications where event = 'guest-note'`),
  ).toEqual(['Mum has written a note about Spotify Premium Family.'])
  expect(await single(olivia.sql`select announce_to_members(${plan}, 'We move on Friday')`)).toBe(1)
  expect((await place(secret)).notes.at(-1)).toMatchObject({ byOwner: true, text: 'We move on Friday' })
  await expectRefusal(VISITOR.sql`select place_note(${secret}, ' ')`, { code: '23514' })
  const zoe = await addPerson(db, 'Zoe')
  await expectRefusal(zoe.sql`select note_to_guest(${await mum()}, 'Hi')`, { code: 'PT404' })
  for (let count = 1; count < 20; count++) await VISITOR.sql`select place_note(${secret}, 'More')`
  await expectRefusal(
    VISITOR.sql`select place_note(${secret}, 'Too much')`,
    rule('You can write up to 20 notes a day about a place. Try again tomorrow.'),
  )
})

describe('the login of the plan', () => {
  const open = (secret: string, pin: string) =>
    single<{ left?: number; access?: { sealed: string }; login?: { sealed: string } | null }>(
      VISITOR.sql`select open_place_access(${secret}, ${pin})`,
    )

  test('opens with a PIN, if the owner allows it for this place, and is recorded', async () => {
    const secret = await add('Mum')
    await add('Dad')
    await storeEntry(db, { id: plan, owner: olivia })
    await storeLogin(db, { id: plan, owner: olivia }, 'v1.login')
    await expectRefusal(open(secret, '000000'), notFound('There’s nothing for you to open'))
    const pin = await single(olivia.sql`select set_guest_access(${await mum()}, true)`)
    expect(pin).toMatch(/^\d{6}$/)
    expect((await place(secret)).opensAccess).toBe(true)
    const opened = await open(secret, pin)
    expect([opened.access?.sealed, opened.login?.sealed]).toEqual(['v1.sealed.elsewhere', 'v1.login'])
    expect(await columnOf(olivia.sql`select opener_name from list_vault_openings(${plan})`)).toEqual(['Mum'])
    const renewed = await single(olivia.sql`select set_guest_access(${await mum()}, true)`)
    if (renewed !== pin) expect(await open(secret, pin)).toEqual({ left: 4 })
    await olivia.sql`select set_guest_access(${await mum()}, false)`
    await expectRefusal(open(secret, renewed), { code: 'PT404' })
    const zoe = await addPerson(db, 'Zoe')
    await expectRefusal(zoe.sql`select set_guest_access(${await mum()}, true)`, { code: 'PT404' })
    await expectRefusal(olivia.sql`select set_guest_access(${await mum()}, null)`, { code: '23514' })
  })

  test('closes after five wrong PINs, and the owner is told', async () => {
    const secret = await add('Mum')
    await storeEntry(db, { id: plan, owner: olivia })
    const pin = await single(olivia.sql`select set_guest_access(${await mum()}, true)`)
    const wrong = pin === '111111' ? '222222' : '111111'
    const left = []
    for (let count = 0; count < 5; count++) left.push((await open(secret, wrong)).left)
    expect(left).toEqual([4, 3, 2, 1, 0])
    await expectRefusal(open(secret, pin), rule('The PIN was wrong too often. Ask the owner for a new one.'))
    expect(
      await columnOf(olivia.sql`select event from user_notifications where event = 'pin-used-up'`),
    ).toHaveLength(1)
    const renewed = await single(olivia.sql`select set_guest_access(${await mum()}, true)`)
    expect((await open(secret, renewed)).access).toBeTruthy()
    await sql`update auth.users set banned_until = now() + interval '10 years' where id = ${olivia.id}`
    await sql`select private.run_due_work()`
    await expectRefusal(open(secret, renewed), { code: 'PT404' })
  })
})

test('a calendar feed follows the place, and ends with a new link', async () => {
  const secret = await add('Mum')
  const token = await single(VISITOR.sql`select place_calendar(${secret}, true)`)
  expect((await place(secret)).hasCalendar).toBe(true)
  expect(await db.query(`select path from private.calendar_of('${token}')`)).toEqual([{ path: '/place' }])
  await olivia.sql`select renew_place_link(${await mum()})`
  await expectRefusal(db.query(`select private.calendar_of('${token}')`), { code: 'PT404' })
  const other = await add('Dad')
  const ended = await single(VISITOR.sql`select place_calendar(${other}, true)`)
  await VISITOR.sql`select place_calendar(${other}, false)`
  await expectRefusal(db.query(`select private.calendar_of('${ended}')`), { code: 'PT404' })
})

test('the export holds all that is stored about the guest, and no hash', async () => {
  const email = address()
  const secret = await add('Mum', email)
  await VISITOR.sql`select place_note(${secret}, 'Hello')`
  const stored = await single<Record<string, { email?: string }>>(VISITOR.sql`select place_export(${secret})`)
  expect(stored).toMatchObject({
    ...{ profile: { display_name: 'Mum' }, details: { email }, notes: [{ content: 'Hello' }] },
    ...{
      payments: [{ status: 'due' }],
      mails: [{ event: 'guest-added' }],
      links: [{ via: expect.any(String) }, {}],
    },
  })
  expect(JSON.stringify(stored)).not.toContain('hash')
  expect(await single<{ guests: object[] }>(olivia.sql`select export_own_data()`)).toMatchObject({
    guests: [{ name: 'Mum', email, notes: [{ content: 'Hello' }] }],
  })
})

test('three guests who report the owner hide how to pay and the owner’s words, until the staff have looked', async () => {
  const secrets = await Promise.all(['Mum', 'Dad', 'Ida'].map((name) => add(name)))
  const report = (secret = '') =>
    VISITOR.sql`select place_reports(${secret}, 'I do not know this person at all.')`
  const [first = '', second, third = ''] = secrets
  await report(first)
  await report(first)
  await report(second)
  expect(await place(first)).toMatchObject({ paused: false })
  // The owner has links too, and reads in none that somebody has reported.
  const copy = await single<object>(VISITOR.sql`select place_export(${first})`)
  expect(JSON.stringify([copy, await place(first)])).not.toMatch(/report/i)
  await report(third)
  expect(await place(first)).toMatchObject({ paused: true, wish: null, notes: [] })
  await expectRefusal(
    olivia.sql`select note_to_guest(${await mum()}, 'Pay to another account')`,
    rule('This conversation is closed'),
  )
  // A claim does not lift the reports.
  await (await addPerson(db, 'Zoe')).sql`select claim_place(${third})`
  expect((await place(first)).paused).toBe(true)
  await sql`update public.cases set closed_at = now(), outcome = 'none', answer = 'A family' where person_id = ${olivia.id}`
  expect((await place(first)).wish).not.toBeNull()
})

describe('who has taken over a place', () => {
  const claim = async () => {
    const secret = await add('Mum')
    await VISITOR.sql`select place_note(${secret}, 'Which login?')`
    const seat = await single(sql`select id from private.seats where member_id = ${await mum()}`)
    await olivia.run('select give_access($1, $2)', [seat, 'mum@home.example'])
    const zoe = await addPerson(db, 'Zoe')
    await zoe.sql`select claim_place(${secret})`
    return { zoe, seat }
  }
  const proposed = (seat: string) =>
    single(sql`insert into public.term_proposals (seat_id, subscription_id, owner_id, member_id, settlement, share)
      select id, subscription_id, owner_id, member_id, 'direct', 5 from private.seats where id = ${seat} returning id`)
  const addresses = (who: Person) =>
    columnOf(who.sql`select email from subscription_members where subscription_id = ${plan} and is_owner`)
  const exported = async (who: Person) =>
    JSON.stringify(await single<object>(who.sql`select export_own_data()`))

  test('gets the addresses and the notes only with the owner’s word', async () => {
    const { zoe, seat } = await claim()
    expect(await addresses(zoe)).toEqual([])
    expect(await exported(zoe)).not.toMatch(/mum@home|Which login/)
    await expectRefusal(
      zoe.sql`select answer_terms(${await proposed(seat)}, true)`,
      rule('First the owner says that this place is yours.'),
    )
    await olivia.run('select answer_place_claim($1, true)', [seat])
    expect(await addresses(zoe)).toEqual([olivia.email])
    expect(await exported(zoe)).toContain('mum@home')
    expect(await zoe.sql`select content, sender_id from messages`).toEqual([
      { content: 'Which login?', sender_id: zoe.id },
    ])
  })

  test('does so without an answer: the owner is asked again, and may take the place back from a banned account', async () => {
    const { zoe, seat } = await claim()
    await sql`update private.clock set ahead = '8 days'`
    await sql`update public.user_notifications set created_at = created_at - interval '8 days'`
    await sql`select private.run_housekeeping()`
    expect(
      await columnOf(olivia.sql`select event from user_notifications where event = 'place-claimed'`),
    ).toHaveLength(2)
    await sql`update auth.users set banned_until = now() + interval '10 years' where id = ${zoe.id}`
    await sql`select private.run_due_work()`
    const secret = await single(olivia.run('select answer_place_claim($1, false) as secret', [seat]))
    expect((await place(secret)).notes).toMatchObject([{ text: 'Which login?' }])
  })
})
