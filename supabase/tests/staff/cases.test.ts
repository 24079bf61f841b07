// What people bring to the staff: who can, about what, who closes it, and who hears of it.
//
// | who reports                    | can                                        | cannot                                            |
// |--------------------------------|--------------------------------------------|---------------------------------------------------|
// | somebody with an account       | whatever they can see, whoever blocked them| themselves, the same thing twice while it is open |
// | party to a chat                | a message of the other                     | a message of others                               |
// | somebody without an account    | what everybody can see, with name, address | flood the list, learn what is hidden, or have us  |
// |                                | and good faith; child abuse without names  | write to strangers what they want                 |
// | guest of the person            | the person                                 |                                                   |
// | whoever has left               | their report stays, without them           |                                                   |
//
// | who closes                     | a case                                                                                         |
// |--------------------------------|------------------------------------------------------------------------------------------------|
// | staff who wrote it, whom it is about, or whom the review is about | never                                                    |
// | two staff at once              | one                                                                                            |
// | whoever else decides           | once; the reporter hears that, the person never by whom they were reported                     |
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, denied, expectRefusal, notFound, rule, single, taken } from '../answers.ts'
import { caseOf, REASONS, report } from '../cases.ts'
import { waitingMails } from '../mail-words.ts'
import { addPerson, addStaff, ownDatabase, type Person } from '../people.ts'
import { openChat, setTheTable, sharePlan } from '../plans.ts'
import { race } from '../race.ts'

const { db, sql, VISITOR } = await ownDatabase()
const mona = await addStaff(db, 'Mona', 'moderator')
const ada = await addStaff(db, 'Ada', 'admin')
const sofia = await addStaff(db, 'Sofia', 'super-admin')

let { olivia, marc, zoe, plan } = await setTheTable(db)
beforeEach(async () => {
  await sql`update cases set closed_at = now(), outcome = 'none', answer = 'Seen' where closed_at is null`
  await sql`update cases set opened_at = opened_at - interval '2 hours'`
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
  await sql`update user_profiles set display_name = 'Olivia Ott' where user_id = ${olivia.id}`
})

/** Reports without an account. */
const notice = (change: Record<string, string | boolean | null> = {}) => {
  const sent = {
    ...{ kind: 'plan', subject: plan.id, claim: 'rights', body: 'My film', name: 'Ivy Iles' },
    ...{ email: 'Ivy@films.example', language: 'de', good_faith: true, ...change },
  }
  return VISITOR.sql`select report(${sent.kind}, ${sent.subject}, ${sent.claim}, ${sent.body}, ${sent.name},
    ${sent.email}, ${sent.language}, ${sent.good_faith})`
}
const open =
  () => sql`select kind, person_id, subject_id, content, writer_id, writer_name, writer_email, language, claim, body
  from cases where closed_at is null`
const close = (by: Person, id: string, outcome = 'none', answer: string | null = 'Nothing to see') =>
  by.sql`select close_case(${id}, ${outcome}, ${answer}, ${outcome === 'none' || outcome === 'answered' ? null : REASONS})`
const told = (who: Person, event: string) =>
  columnOf(who.sql`select message from user_notifications where event = ${event} order by created_at`)
const OWN = denied('Someone else handles cases by you or about you')
const GONE = notFound('We can’t find this case')
const ONLY_STAFF = denied('Only staff can decide about others')

/** Adds Marc's published review of Olivia and returns its id. */
const addReview = () =>
  single(sql`insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
    select id, ${marc.id}, ${olivia.id}, 1, 'A liar', now() - interval '1 day' from private.seats
    where owner_id = ${olivia.id} and member_id = ${marc.id} returning id`)
const addMessage = async (content = 'You idiot') => {
  const chat = await openChat(db, plan, marc)
  return single<string>(
    marc.sql`insert into messages (conversation_id, content) values (${chat}, ${content}) returning id`,
  )
}

describe('somebody with an account', () => {
  test('reports a person, a picture, a plan, a review and a message, each once while it is open', async () => {
    await sql`update user_profiles set avatar_url = 'https://potluck.example/o.png' where user_id = ${olivia.id}`
    const [review, message] = [await addReview(), await addMessage()]
    const things = [
      ['person', olivia.id, olivia, 'Olivia Ott', null],
      ['picture', olivia.id, olivia, 'https://potluck.example/o.png', null],
      ['plan', plan.id, olivia, expect.stringContaining('Netflix Premium'), plan.id],
      ['review', review, marc, '1/5\nA liar', review],
    ] as const
    for (const [kind, subject, person, content, subject_id] of things) {
      await report(zoe, kind, subject)
      const twice = taken('You’ve already reported this. Our team will look at it.')
      await expectRefusal(report(zoe, kind, subject), twice)
      expect(await open()).toContainEqual({
        ...{ kind, person_id: person.id, subject_id, content, writer_id: zoe.id, writer_name: null },
        ...{ writer_email: null, language: null, claim: 'abuse', body: 'Rude' },
      })
    }
    await report(olivia, 'message', message)
    for (const stranger of [zoe, mona])
      await expectRefusal(report(stranger, 'message', message), notFound('Message not found'))
    expect(await told(zoe, 'report-received')).toHaveLength(4)
    await expectRefusal(report(marc, 'message', message), rule('You can’t report yourself'))
  })

  test('reports whoever has blocked them, but nothing that they cannot see, and not themselves', async () => {
    await olivia.sql`select block_person(${zoe.id})`
    await report(zoe, 'person', olivia.id)
    await expectRefusal(report(zoe, 'plan', plan.id), notFound('Subscription not found'))
    await expectRefusal(report(zoe, 'review', await addReview()), notFound('Review not found'))
    await expectRefusal(report(zoe, 'picture', olivia.id), notFound('There is no picture'))
    for (const [kind, id] of [
      ['person', olivia.id],
      ['plan', plan.id],
    ] as const)
      await expectRefusal(report(olivia, kind, id), rule('You can’t report yourself'))
    await sql`update shared_subscriptions set is_private = true where id = ${plan.id}`
    await expectRefusal(
      report(await addPerson(db, 'Nina'), 'plan', plan.id),
      notFound('Subscription not found'),
    )
    // Whoever had a place there has seen it.
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    await report(marc, 'plan', plan.id)
  })

  test('says what is wrong, in a sentence, and about something there is', async () => {
    for (const [[kind, id, ...said], refusal] of [
      [['person', olivia.id, ' '], rule('Please write a sentence')],
      [['person', olivia.id, 'x'.repeat(2001)], rule('Please use up to 2000 characters')],
      [['person', olivia.id, 'Rude', 'taste'], rule('Please choose what’s wrong')],
      [['site', olivia.id], rule('This can’t be reported')],
      [['person', 'nobody'], notFound('Person not found')],
    ] as const)
      await expectRefusal(report(zoe, kind, id, ...said), refusal)
    await sql`update app_settings set takes_reports = false`
    await expectRefusal(report(zoe, 'person', olivia.id), rule('This site takes no reports'))
    await expectRefusal(notice(), rule('This site takes no reports'))
    await sql`update app_settings set takes_reports = true`
    expect(await open()).toEqual([])
  })
})

describe('somebody without an account', () => {
  test('gives name, address and good faith, and hears at once and in their language, nothing in it from them', async () => {
    for (const [change, message] of [
      [{ good_faith: null }, 'Please confirm that what you write is right and complete'],
      [{ name: null }, 'Name is required'],
      [{ name: '\u200b' }, 'Name is required'],
      [{ email: null }, 'Valid email is required'],
      [{ email: 'ivy' }, 'Valid email is required'],
      [{ claim: null }, 'Please choose what’s wrong'],
    ] as const)
      await expectRefusal(notice(change), { code: '23514', message })
    await notice({ body: 'Buy pills at evil.example', name: 'Pills evil.example' })
    expect(await open()).toMatchObject([
      { writer_email: 'ivy@films.example', language: 'de', claim: 'rights' },
    ])
    const [mail] = await waitingMails(db, 'ivy@films.example')
    expect(mail).toMatchObject({ event: 'report-received', params: { language: 'de' } })
    expect(JSON.stringify(mail)).not.toMatch(/pills|evil|Netflix|Olivia/i)
  })

  test('learns nothing of what is hidden: not a private plan, nor who somebody is', async () => {
    await expectRefusal(notice({ kind: 'person', subject: marc.id }), notFound('Person not found'))
    await notice({ kind: 'person', subject: olivia.id })
    const id = await single(sql`select id from cases where closed_at is null`)
    await close(ada, id)
    const decided = (await waitingMails(db, 'ivy@films.example')).find(
      ({ event }) => event === 'report-decided',
    )
    expect(JSON.stringify(decided)).not.toContain('Ott')
    for (const change of [`is_private = true`, `is_private = false, status = 'pending'`]) {
      await db.query(`update shared_subscriptions set ${change} where id = $1`, [plan.id])
      await expectRefusal(notice(), notFound('Subscription not found'))
      await expectRefusal(notice({ subject: 'sub-nobody' }), notFound('Subscription not found'))
      await expectRefusal(
        notice({ kind: 'review', subject: await addReview() }),
        notFound('Review not found'),
      )
      await sql`delete from private.seat_reviews`
    }
    await expectRefusal(
      notice({ kind: 'message', subject: await addMessage() }),
      notFound('Message not found'),
    )
  })

  test('reports child abuse without a name or an address, and nothing else so', async () => {
    await notice({ claim: 'children', name: null, email: null })
    expect(await open()).toMatchObject([{ claim: 'children', writer_name: null, writer_email: null }])
    await close(mona, await single(sql`select id from cases where closed_at is null`))
  })

  test('fills neither the list nor a stranger’s mailbox: three open by address, as many about one thing, 60 an hour', async () => {
    const full = { code: 'PT429', message: 'Too many reports are waiting. Please try again in an hour.' }
    const plans = await Promise.all(
      ['Nina', 'Nils', 'Nora'].map(async (name) => sharePlan(db, await addPerson(db, name))),
    )
    for (const { id } of plans) await notice({ subject: id })
    await expectRefusal(notice({ email: 'IVY@films.example' }), full)
    const nameless = { claim: 'children', name: null, email: null }
    for (let count = 0; count < 3; count += 1) await notice(nameless)
    await expectRefusal(notice(nameless), full)
    await notice({ ...nameless, subject: plans[0]?.id ?? '' })
    await sql`insert into cases (kind, person_id, subject_id, writer_email, body)
      select 'plan', ${olivia.id}, ${plan.id}, n || '@flood.example', 'Flood' from generate_series(1, 52) as n`
    expect(
      await race([
        () => notice({ email: 'ivo@films.example' }),
        () => notice({ email: 'ina@films.example' }),
      ]),
    ).toEqual({
      done: 1,
      [`PT429: ${full.message}`]: 1,
    })
    await sql`update cases set opened_at = opened_at - interval '61 minutes'`
    await notice({ email: 'imo@films.example' })
  })
})

describe('a case', () => {
  test('is for staff alone, and not for whoever wrote it or is concerned', async () => {
    const listed = async (by: Person) => (await by.sql`select id, body from list_cases()`).map(({ id }) => id)
    const review = await single(sql`insert into private.seat_reviews
      (seat_id, author_id, subject_id, rating, body, shown_from) select id, ${marc.id}, ${ada.id}, 1, '', now() - interval '1 day'
      from private.seats where member_id = ${marc.id} returning id`)
    const cases = {
      mona: await caseOf(zoe, 'person', mona.id),
      mine: await caseOf(mona, 'person', olivia.id),
      // Marc's review is about Ada, whom it does not please.
      ada: await caseOf(zoe, 'review', review),
    }
    expect((await listed(sofia)).sort()).toEqual(Object.values(cases).sort())
    expect(await listed(mona)).toEqual([cases.ada])
    expect((await listed(ada)).sort()).toEqual([cases.mona, cases.mine].sort())
    for (const person of [zoe, olivia, marc]) await expectRefusal(listed(person), ONLY_STAFF)
    for (const [by, id] of [
      [mona, cases.mona],
      [mona, cases.mine],
      [ada, cases.ada],
    ] as const)
      await expectRefusal(close(by, id), OWN)
    const hide = ada.sql`select decide_about(${marc.id}, 'review-hidden', ${REASONS}, ${review})`
    await expectRefusal(hide, denied('Someone else decides about you'))
    // Browsers receive changes of the rows that are listed, and no contents.
    expect(await mona.sql`select id from cases where closed_at is null`).toEqual([{ id: cases.ada }])
    await expectRefusal(mona.sql`select body from cases`, { code: '42501' })
    await expectRefusal(close(zoe, cases.ada), ONLY_STAFF)
    await close(mona, cases.ada)
    await expectRefusal(close(sofia, cases.ada), GONE)
  })

  test('is closed once, however many staff close it at once', async () => {
    const id = await caseOf(zoe, 'person', olivia.id)
    expect(
      await race([
        () => close(mona, id, 'warned'),
        () => close(ada, id, 'none'),
        () => close(sofia, id, 'warned'),
      ]),
    ).toEqual({ done: 1, [`PT404: ${GONE.message}`]: 2 })
    expect((await sql`select from private.decisions where case_id = ${id}`).length).toBeLessThanOrEqual(1)
    expect(await told(zoe, 'report-decided')).toHaveLength(1)
  })

  test('that leads to nothing needs an answer, which the reporter reads and the person does not', async () => {
    const id = await caseOf(zoe, 'plan', plan.id)
    await expectRefusal(close(mona, id, 'none', ' '), rule('Please write a sentence'))
    for (const outcome of ['fined', 'answered', 'upheld', 'review-hidden', 'message-removed'])
      await expectRefusal(close(mona, id, outcome), rule('Please choose what to do'))
    await close(mona, id)
    expect(await told(zoe, 'report-decided')).toEqual([
      'We’ve looked at your report about Netflix Premium. We found nothing to act on: Nothing to see',
    ])
    expect(
      await sql`select from user_notifications where user_id = ${olivia.id} and event like '%report%'`,
    ).toEqual([])
    await caseOf(zoe, 'plan', plan.id)
    expect(
      await mona.sql`select unfounded, earlier from list_cases() where writer_id = ${zoe.id}`,
    ).toMatchObject([{ unfounded: 1, earlier: [{ measure: 'none', finding: 'Nothing to see' }] }])
  })

  test('opens the chat of its two people to staff while it is open, and each reading is logged', async () => {
    await addMessage()
    const id = await caseOf(olivia, 'person', marc.id)
    const other = await caseOf(zoe, 'person', marc.id)
    const read = (by: Person, of = id) =>
      by.sql`select plan, is_reporter, content from read_reported_chat(${of})`
    await expectRefusal(read(zoe), ONLY_STAFF)
    expect(await read(mona)).toEqual([{ plan: 'Netflix Premium', is_reporter: false, content: 'You idiot' }])
    expect(await read(mona, other)).toEqual([])
    expect(
      await sofia.sql`select details from list_staff_log() where action = 'reported chat read' and subject = ${marc.id}
        order by line limit 1`,
    ).toEqual([{ details: { reporter: olivia.id, report: id } }])
    await close(mona, id)
    await expectRefusal(read(mona), GONE)
    expect(await mona.sql`select id from messages`).toEqual([])
  })

  test('of a person whose account ends ends too; a report stays without its writer', async () => {
    const id = await caseOf(zoe, 'person', olivia.id)
    await caseOf(marc, 'plan', plan.id)
    await report(zoe, 'plan', plan.id)
    for (const writer of [zoe, marc]) await writer.sql`select delete_own_account(true)`
    expect(await open()).toMatchObject([{ writer_id: null }, { writer_id: null }, { writer_id: null }])
    await close(mona, id, 'warned')
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    await olivia.sql`select delete_own_account(true)`
    expect(await sql`select from cases where person_id = ${olivia.id}`).toEqual([])
    expect(await sql`select from private.decisions where person_id = ${olivia.id}`).toEqual([])
  })
})

test('a question is answered once, by somebody else of the staff, and kept without its writer', async () => {
  const leo = await addPerson(db, 'Leo')
  const ask = (by: Person, text: string | null = 'Where is my receipt?') =>
    by.sql`select write_to_support(${text})`
  await expectRefusal(ask(leo, ' '), rule('Please write a sentence'))
  await ask(leo)
  expect(await told(mona, 'support-asked')).toEqual(['Leo: Where is my receipt?'])
  await ask(mona)
  const of = (person: Person) =>
    single(sql`select id from cases where writer_id = ${person.id} and closed_at is null`)
  await expectRefusal(close(mona, await of(mona), 'answered'), OWN)
  await expectRefusal(close(mona, await of(leo), 'warned'), rule('Please choose what to do'))
  await close(mona, await of(leo), 'answered', 'Under My Payments')
  expect(await told(leo, 'support-answered')).toEqual(['Under My Payments'])
  expect(await leo.sql`select request, answer from my_support_requests()`).toEqual([
    { request: 'Where is my receipt?', answer: 'Under My Payments' },
  ])
  await leo.sql`select delete_own_account()`
  expect(await ada.sql`select writer_name, answer from list_cases(true) where kind = 'question'`).toEqual([
    { writer_name: null, answer: 'Under My Payments' },
  ])
})
