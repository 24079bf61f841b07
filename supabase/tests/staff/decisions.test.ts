// Decisions of staff about people and what they have published: reasons, notice, appeal, and what an appeal takes back.
//
// | who decides on an appeal                | when                                     |
// |-----------------------------------------|------------------------------------------|
// | another member of staff whose role may  | at once                                  |
// | whoever decided, while another may      | never                                    |
// | whoever decided, alone                  | after 24 hours                           |
// | the person, or whoever reported them    | never                                    |
// | a moderator, about an account or money  | never                                    |
//
// | whom the decision is about              | can                                                                    |
// |-----------------------------------------|------------------------------------------------------------------------|
// | signed in, or suspended with the mail   | read the reasons, but not who reported; appeal once, within six months |
// | somebody else, or with a guessed link   | nothing                                                                |
// | whose plan is gone meanwhile            | appeal; nothing comes back                                             |
// | hidden or suspended again meanwhile     | appeal; the later decision stands                                      |
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, denied, expectRefusal, notFound, refusalOf, rule, single, taken } from '../answers.ts'
import { caseOf, REASONS, report } from '../cases.ts'
import { waitingMails } from '../mail-words.ts'
import { type Asker, addPerson, addStaff, ownDatabase, type Person } from '../people.ts'
import { ask, openChat, setTheTable, sharePlan } from '../plans.ts'
import { race } from '../race.ts'

const { db, sql, VISITOR } = await ownDatabase()
const mona = await addStaff(db, 'Mona', 'moderator')
const mo = await addStaff(db, 'Mo', 'moderator')
const ada = await addStaff(db, 'Ada', 'admin')
const anton = await addStaff(db, 'Anton', 'admin')
const sofia = await addStaff(db, 'Sofia', 'super-admin')

let { olivia, marc, zoe, plan } = await setTheTable(db)
beforeEach(async () => {
  await sql`update private.clock set ahead = '0'`
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

const pass = (time: string) => sql`update private.clock set ahead = ahead + ${time}::interval`
const decide = (
  by: Person,
  person: Person,
  measure: string,
  subject: string | null = null,
  days: number | null = null,
) => by.sql`select decide_about(${person.id}, ${measure}, ${REASONS}, ${subject}, ${days})`
const close = (
  by: Person,
  id: string,
  outcome: string,
  planId: string | null = null,
  days: number | null = null,
) => by.sql`select close_case(${id}, ${outcome}, 'Looked at it', ${REASONS}, ${planId}, ${days})`
const hold = (by: Person, reasons: string | null = REASONS) =>
  by.sql`select hold_payouts(${olivia.id}, now() + interval '9 days', ${reasons})`
const last = (person: Person) =>
  single(
    sql`select id from private.decisions where person_id = ${person.id} order by decided_at desc limit 1`,
  )
const appeal = (by: Asker, key: string) => by.sql`select appeal_decision(${key}, 'It was not me')`
const appealOf = (decision: string) =>
  single(sql`select id from cases where kind = 'appeal' and subject_id = ${decision}`)
/** Appeals against the latest decision about a person, and returns the case. */
async function appealed(person: Person) {
  const id = await last(person)
  await appeal(person, id)
  return appealOf(id)
}
const link = async (person: Person) =>
  String((await waitingMails(db, person.email)).find(({ event }) => event === 'decision')?.path).replace(
    '/decision/',
    '',
  )
const told = (who: Person, event: string) =>
  columnOf(who.sql`select message from user_notifications where event = ${event} order by created_at`)
const plans = () => columnOf(sql`select status from shared_subscriptions where id = ${plan.id}`)
const addMessage = async () => {
  const chat = await openChat(db, plan, marc)
  return single(
    marc.sql`insert into messages (conversation_id, content) values (${chat}, 'You idiot') returning id`,
  )
}
const addReview = () =>
  single(sql`insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
    select id, ${marc.id}, ${olivia.id}, 1, 'A liar', now() - interval '1 day' from private.seats
    where owner_id = ${olivia.id} and member_id = ${marc.id} returning id`)
const SOMEBODY_ELSE = denied('Someone else decides on appeals against your decisions')

test('no decision is made without a ground, its section and facts, by any way', async () => {
  const pending = await sharePlan(db, zoe)
  await sql`update shared_subscriptions set status = 'pending' where id = ${pending.id}`
  await sql`update user_profiles set avatar_url = 'https://potluck.example/o.png' where user_id = ${olivia.id}`
  const [review, message] = [await addReview(), await addMessage()]
  const cases: [id: string, measure: string][] = []
  for (const [by, kind, subject, measure] of [
    [zoe, 'plan', plan.id, 'warned'],
    [marc, 'plan', plan.id, 'suspended'],
    [anton, 'plan', plan.id, 'plan-hidden'],
    [zoe, 'review', review, 'review-hidden'],
    [olivia, 'message', message, 'message-removed'],
    [zoe, 'picture', olivia.id, 'picture-removed'],
  ] as const)
    cases.push([await caseOf(by, kind, subject), measure])
  const ways: ((reasons: string | null) => Promise<unknown>)[] = [
    (reasons) => ada.sql`select review_plan(${pending.id}, 'reject', ${reasons})`,
    (reasons) => ada.sql`select review_plan(${plan.id}, 'hide', ${reasons})`,
    (reasons) => hold(ada, reasons),
    ...cases.map(
      ([id, measure]) =>
        (reasons: string | null) =>
          ada.sql`select close_case(${id}, ${measure}, 'Seen', ${reasons}, null, 3)`,
    ),
    ...[
      ['warned', null],
      ['suspended', null],
      ['plan-hidden', plan.id],
      ['picture-removed', null],
    ].map(
      ([measure, subject]) =>
        (reasons: string | null) =>
          ada.sql`select decide_about(${olivia.id}, ${measure}, ${reasons}, ${subject}, 3)`,
    ),
    (reasons) => ada.sql`select decide_about(${marc.id}, 'review-hidden', ${reasons}, ${review})`,
  ]
  const GROUND = rule('Please choose what the decision is based on')
  const CLAUSE = rule('Please name the section or the law, in up to 200 characters')
  const FACTS = rule('Please say what happened')
  for (const [place, way] of ways.entries())
    for (const [reasons, refusal] of [
      [null, GROUND],
      ['[]', GROUND],
      [{ ground: 'taste', clause: '5', facts: 'Rude' }, GROUND],
      [{ ground: 'law', facts: 'Rude' }, CLAUSE],
      [{ ground: 'law', clause: ' \u200b', facts: 'Rude' }, CLAUSE],
      [{ ground: 'law', clause: 'x'.repeat(201), facts: 'Rude' }, CLAUSE],
      [{ ground: 'law', clause: '5' }, FACTS],
      [{ ground: 'law', clause: '5', facts: '\u200b' }, FACTS],
      [{ ground: 'law', clause: '5', block: 'household', facts: 'Rude' }, FACTS],
      [{ ground: 'law', clause: '5', facts: 'x'.repeat(1001) }, rule('Please use up to 1000 characters')],
    ] as const)
      expect([
        place,
        await refusalOf(way(reasons && typeof reasons === 'object' ? JSON.stringify(reasons) : reasons)),
      ]).toEqual([place, refusal])
  for (const missing of ['ground', 'clause']) {
    const row = {
      provider: 'Mubi',
      rule: 'off',
      reason: 'A letter',
      ground: 'law',
      clause: '1',
      [missing]: null,
    }
    await expectRefusal(ada.insert('provider_rules', row), { code: '23502' })
  }
  for (const wrong of [{ ground: 'taste' }, { clause: ' ' }])
    await expectRefusal(
      ada.insert('provider_rules', {
        provider: 'Mubi',
        rule: 'off',
        reason: 'A letter',
        ground: 'law',
        clause: '1',
        ...wrong,
      }),
      { code: '23514' },
    )
  expect(
    await sql`select from private.decisions where person_id in (${olivia.id}, ${marc.id}, ${zoe.id})`,
  ).toEqual([])
})

test('the person reads what, why, on what ground and by when to appeal, in the app and by mail, and never who reported', async () => {
  await sql`update user_profiles set display_name = 'Zoe Zander' where user_id = ${zoe.id}`
  await close(mona, await caseOf(zoe, 'plan', plan.id), 'plan-hidden')
  const text =
    'We’ve hidden Netflix Premium, so no one new can find or join it. “Asks for passwords” Section 5 of our terms does not allow that. It holds on the whole site until it is taken back.'
  expect(await told(olivia, 'decision')).toEqual([text])
  const mails = (await waitingMails(db, olivia.email)).filter(({ event }) => event === 'decision')
  expect(mails).toMatchObject([
    {
      said: {
        heading: 'Plan Hidden',
        sentences: [text, 'Somebody reported it to us. A person decided, not a program.'],
      },
    },
  ])
  const [decision] =
    await olivia.sql`select params, undone_at, appeal from get_decision(${await last(olivia)})`
  expect(decision).toMatchObject({
    params: { measure: 'plan-hidden', reported: true },
    undone_at: null,
    appeal: null,
  })
  const known = [
    decision,
    mails,
    await olivia.sql`select * from user_notifications`,
    await olivia.sql`select export_own_data() -> 'decisions_about_you', export_own_data() -> 'cases'`,
  ]
  expect(JSON.stringify(known)).toContain('Asks for passwords')
  expect(JSON.stringify(known)).not.toMatch(/Zander|Mona/)
  for (const id of [zoe.id, zoe.email, mona.id]) expect(JSON.stringify(known)).not.toContain(id)
  // The reporter hears that they were right and what was broken, and not which decision that led to.
  expect(await told(zoe, 'report-decided')).toEqual([
    'We’ve looked at your report about Netflix Premium. You were right, and we’ve acted on it. Section 5 of our terms does not allow that.',
  ])
  const own = JSON.stringify(await zoe.sql`select export_own_data() -> 'cases'`)
  expect(own).toContain('decided')
  expect(own).not.toMatch(/hidden|Looked|passwords/)
})

test('every measure says its own words', async () => {
  await sql`update user_profiles set avatar_url = 'https://potluck.example/o.png' where user_id = ${olivia.id}`
  await decide(mona, olivia, 'warned')
  await decide(mona, olivia, 'picture-removed')
  await decide(mona, marc, 'review-hidden', await addReview())
  await close(mona, await caseOf(olivia, 'message', await addMessage()), 'message-removed')
  await hold(ada)
  await decide(ada, olivia, 'suspended')
  const [law, facts] = [
    JSON.stringify({ ground: 'law', clause: '§ 185 StGB', block: 'insult' }),
    'It insults',
  ]
  await mona.sql`select decide_about(${zoe.id}, 'warned', ${law})`
  const first = async (who: Person) => (await told(who, 'decision')).map((text) => text.split('.')[0])
  expect(await first(olivia)).toEqual([
    ...['Our team warns you', 'We’ve removed your picture'],
    ...[expect.stringMatching(/^We’re holding your payouts until \d/), 'Your account is suspended'],
  ])
  expect(await first(marc)).toEqual([
    'Your review of Olivia is no longer shown',
    'We’ve removed a message you wrote',
  ])
  expect(await told(zoe, 'decision')).toEqual([
    expect.stringMatching(new RegExp(`${facts}.* The law does not allow that: § 185 StGB\\.`)),
  ])
})

describe('a decision', () => {
  test('is for staff, each by their role, and not about themselves', async () => {
    for (const person of [olivia, zoe])
      await expectRefusal(decide(person, marc, 'warned'), denied('Only staff can decide about others'))
    await expectRefusal(decide(mona, mona, 'warned'), denied('Someone else decides about you'))
    const admins = denied('Only admins can do this')
    for (const work of [decide(mona, olivia, 'suspended', null, 3), hold(mona)])
      await expectRefusal(work, { code: '42501' })
    await expectRefusal(close(mona, await caseOf(zoe, 'plan', plan.id), 'suspended', null, 3), admins)
    await expectRefusal(decide(ada, olivia, 'suspended', null, 0), rule('Please choose from 1 to 365 days'))
    await expectRefusal(
      decide(ada, sofia, 'suspended', null, 3),
      denied('You can’t suspend someone whose role allows more than yours'),
    )
    for (const measure of ['payouts-held', 'plan-rejected', 'message-removed'])
      await expectRefusal(decide(ada, olivia, measure), rule('Please choose what to do'))
    await expectRefusal(decide(mona, marc, 'plan-hidden', plan.id), notFound('Subscription not found'))
    await expectRefusal(
      decide(mona, olivia, 'review-hidden', await addReview()),
      notFound('Review not found'),
    )
    await expectRefusal(
      decide(mona, { ...zoe, id: crypto.randomUUID() }, 'warned'),
      notFound('Person not found'),
    )
  })

  test('that hides a plan keeps its members and takes no one new', async () => {
    const lea = await addPerson(db, 'Lea')
    await ask(db, lea, plan)
    await decide(mona, olivia, 'plan-hidden', plan.id)
    expect(await told(lea, 'request-rejected')).toHaveLength(1)
    expect(await marc.sql`select id from my_seats()`).toHaveLength(1)
    await expectRefusal(decide(mona, olivia, 'plan-hidden', plan.id), rule('This plan is already rejected'))
    await mona.sql`select review_plan(${plan.id}, 'restore')`
    expect(
      await olivia.sql`select undone_at is not null as undone from get_decision(${await last(olivia)})`,
    ).toEqual([{ undone: true }])
    await expectRefusal(appeal(olivia, await last(olivia)), rule('This decision has already been taken back'))
  })

  test('removes the picture that was reported, and no later one', async () => {
    const wear = (name: string) =>
      sql`update user_profiles set avatar_url = ${`https://potluck.example/${name}`} where user_id = ${olivia.id}`
    await wear('one.png')
    const id = await caseOf(zoe, 'picture', olivia.id)
    await wear('two.png')
    await expectRefusal(close(mona, id, 'picture-removed'), notFound('There is no picture'))
    await close(mona, id, 'none')
  })

  test('removes an announcement for all its members, and nothing else that said the same', async () => {
    const nina = await addPerson(db, 'Nina')
    await sql`select private.add_member(${plan.id}, ${nina.id}, false)`
    const announce = () => olivia.sql`select announce_to_members(${plan.id}, 'Pay me elsewhere')`
    await announce()
    await sql`update messages set created_at = created_at - interval '1 hour' where sender_id = ${olivia.id}`
    await announce()
    const texts = () =>
      columnOf(sql`select content from messages where sender_id = ${olivia.id} order by created_at`)
    const all = ['Pay me elsewhere', 'Pay me elsewhere', 'Pay me elsewhere', 'Pay me elsewhere']
    expect(await texts()).toEqual(all)
    const mine = await single(
      marc.sql`select id from messages where sender_id = ${olivia.id} order by created_at desc limit 1`,
    )
    await close(mona, await caseOf(marc, 'message', mine), 'message-removed')
    expect(await texts()).toEqual(['Pay me elsewhere', 'Pay me elsewhere', '–', '–'])
    await close(mo, await appealed(olivia), 'reversed')
    expect(await texts()).toEqual(all)
  })
})

describe('an appeal', () => {
  test('is for the person alone, signed in or by the mailed link, once', async () => {
    await decide(mona, olivia, 'warned')
    const [id, token] = [await last(olivia), await link(olivia)]
    const nothing = { code: 'PT404' }
    for (const [by, key] of [
      [zoe, id],
      [mona, id],
      [VISITOR, id],
      [VISITOR, 'guessed'],
      [VISITOR, token.slice(1)],
    ] as const) {
      await expectRefusal(appeal(by, key), nothing)
      await expectRefusal(by.sql`select * from get_decision(${key})`, nothing)
    }
    await expectRefusal(VISITOR.sql`select appeal_decision(${token}, ' ')`, rule('Please write a sentence'))
    await appeal(VISITOR, token)
    for (const by of [VISITOR, olivia])
      await expectRefusal(
        appeal(by, by === olivia ? id : token),
        taken('You’ve already appealed against this decision'),
      )
    expect(await VISITOR.sql`select appeal, outcome from get_decision(${token})`).toEqual([
      { appeal: 'It was not me', outcome: null },
    ])
    expect(await told(mona, 'support-asked')).toContainEqual('Olivia: It was not me')
  })

  test('is possible for six months, to whoever is suspended too', async () => {
    await decide(ada, olivia, 'suspended')
    await sql`select private.follow_suspensions()`
    const token = await link(olivia)
    await pass('6 months')
    await expectRefusal(appeal(VISITOR, token), rule('The time for an appeal is over'))
    await pass('-1 day')
    await appeal(VISITOR, token)
    await close(anton, await appealOf(await last(olivia)), 'reversed')
    expect(await single(sql`select private.is_suspended(${olivia.id})`)).toBe(false)
    expect((await waitingMails(db, olivia.email)).map(({ event }) => event)).toContain('appeal-decided')
  })

  test('goes to somebody else whose role may, once, and the person hears how it ended', async () => {
    await decide(mona, olivia, 'warned')
    const id = await appealed(olivia)
    await expectRefusal(close(mona, id, 'upheld'), SOMEBODY_ELSE)
    await expectRefusal(close(mo, id, 'warned'), rule('Please choose what to do'))
    expect(
      await mo.sql`select decision ->> 'decidedBy' as by, may_close_from <= now() as may from list_cases() where id = ${id}`,
    ).toEqual([{ by: 'Mona', may: true }])
    const outcome = await race([() => close(mo, id, 'upheld'), () => close(ada, id, 'upheld')])
    expect(outcome).toEqual({ done: 1, 'PT404: We can’t find this case': 1 })
    expect(await told(olivia, 'appeal-decided')).toEqual([
      'We’ve looked at your appeal, and the decision stands. Someone else than before has decided. Looked at it',
    ])
    await decide(ada, olivia, 'suspended', null, 3)
    const about = await appealed(olivia)
    const waits = async (by: Person) =>
      (
        await by.sql`select from list_cases() where id = ${about} and may_close_from < now() + interval '1 day'`
      ).length
    expect([await waits(mona), await waits(ada), await waits(anton)]).toEqual([0, 0, 1])
    await expectRefusal(close(mona, about, 'reversed'), denied('Only admins can do this'))
    await expectRefusal(close(ada, about, 'reversed'), SOMEBODY_ELSE)
    await close(anton, about, 'upheld')
  })

  test('is never decided by whoever reported, nor by whom the review was about', async () => {
    await close(ada, await caseOf(mona, 'plan', plan.id), 'plan-hidden')
    const first = await appealed(olivia)
    const own = denied('Someone else handles cases by you or about you')
    await expectRefusal(close(mona, first, 'upheld'), own)
    await close(mo, first, 'reversed')
    const review =
      await single(sql`insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
      select id, ${marc.id}, ${mo.id}, 1, '', now() - interval '1 day' from private.seats where member_id = ${marc.id} returning id`)
    await decide(ada, marc, 'review-hidden', review)
    const second = await appealed(marc)
    await expectRefusal(close(mo, second, 'upheld'), own)
    await close(mona, second, 'reversed')
  })

  test('is decided again by the same person, a day later, if nobody else may', async () => {
    await decide(ada, olivia, 'warned')
    const id = await appealed(olivia)
    // Someone else's role allows the measure, but not to close cases; others are suspended, or reported it.
    await sql`insert into system_roles (name, permissions) values ('banker', '{users.edit}') on conflict do nothing`
    await addStaff(db, 'Bo', 'banker')
    const others = `{${[mona, mo, anton, sofia].map(({ id }) => id)}}`
    await db.query(`update auth.users set banned_until = now() + interval '9 days' where id = any($1)`, [
      others,
    ])
    await expectRefusal(
      close(ada, id, 'upheld'),
      rule('You made this decision yourself. Please look at it again after 24 hours.'),
    )
    await pass('25 hours')
    await close(ada, id, 'upheld')
    expect(await told(olivia, 'appeal-decided')).toEqual([
      expect.stringContaining('The same person decided, after a day, since the team has nobody else for it.'),
    ])
    await sql`update auth.users set banned_until = null where id = any (${others}::uuid[])`
  })
})

describe('an appeal that is right brings back', () => {
  const reversed = async (person: Person, by = anton) => close(by, await appealed(person), 'reversed')

  test('a rejected and a hidden plan, unless it is gone', async () => {
    await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
    await mona.sql`select review_plan(${plan.id}, 'reject', ${REASONS})`
    expect(await plans()).toEqual(['rejected'])
    await reversed(olivia, mo)
    expect(await plans()).toEqual(['active'])
    await mona.sql`select review_plan(${plan.id}, 'hide', ${REASONS})`
    await reversed(olivia, mo)
    expect(await plans()).toEqual(['active'])
    await decide(mona, olivia, 'plan-hidden', plan.id)
    await olivia.sql`delete from subscription_members where user_id = ${marc.id}`
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    await reversed(olivia, mo)
    expect(await plans()).toEqual([])
  })

  test('a review, a message and a picture', async () => {
    const url = 'https://potluck.example/o.png'
    await sql`update user_profiles set avatar_url = ${url} where user_id = ${olivia.id}`
    const review = await addReview()
    const shown = async () => [
      (await zoe.sql`select id from reviews_of(${olivia.id})`).length,
      await single(sql`select avatar_url from user_profiles where user_id = ${olivia.id}`),
      await columnOf(marc.sql`select content from messages`),
    ]
    const id = await caseOf(olivia, 'message', await addMessage())
    expect(await shown()).toEqual([1, url, ['You idiot']])
    await close(mona, await caseOf(zoe, 'review', review), 'review-hidden')
    await reversed(marc)
    await decide(mona, marc, 'review-hidden', review)
    await decide(mona, olivia, 'picture-removed')
    await close(mona, id, 'message-removed')
    expect(await shown()).toEqual([0, null, ['–']])
    await close(mo, await appealOf(await appealedOne(marc, 'review-hidden')), 'reversed')
    await close(mo, await appealOf(await appealedOne(marc, 'message-removed')), 'reversed')
    await reversed(olivia)
    expect(await shown()).toEqual([1, url, ['You idiot']])
  })
  const appealedOne = async (person: Person, measure: string) => {
    const id = await single(sql`select id from private.decisions
      where person_id = ${person.id} and measure = ${measure} and undone_at is null`)
    await appeal(person, id)
    return id
  }

  test('an account and its payouts, but not one that a later decision took', async () => {
    await hold(ada)
    await reversed(olivia)
    expect(
      await sql`select from private.payout_holds where user_id = ${olivia.id} and released_at is null`,
    ).toEqual([])
    await decide(ada, olivia, 'suspended', null, 2)
    const first = await appealed(olivia)
    await pass('3 days')
    await sql`update auth.users set banned_until = now() - interval '1 second' where id = ${olivia.id}`
    await sql`select private.follow_suspensions()`
    await decide(ada, olivia, 'suspended', null, 9)
    await expectRefusal(decide(ada, olivia, 'suspended'), rule('This account is already suspended'))
    await close(anton, first, 'reversed')
    expect(await single(sql`select private.is_suspended(${olivia.id})`)).toBe(true)
    await reversed(olivia)
    expect(await single(sql`select private.is_suspended(${olivia.id})`)).toBe(false)
    const lift = (by: Person, of: Person) => by.sql`select lift_suspension(${of.id})`
    await expectRefusal(lift(ada, olivia), rule('This account isn’t suspended'))
    await expectRefusal(lift(ada, ada), denied('Someone else suspends you or lets you in again'))
  })

  test('a plan that a rule for its provider made private or closed, unless the settings say so too', async () => {
    await ada.sql`insert into provider_rules (provider, rule, reason, ground, clause)
      values ('Netflix', 'private', 'A letter', 'provider', '4.2')`
    const isPrivate = () => single(sql`select is_private from shared_subscriptions where id = ${plan.id}`)
    expect(await isPrivate()).toBe(true)
    await sofia.sql`update app_settings set rule_household = 'private'`
    const id = await appealed(olivia)
    await expectRefusal(
      close(anton, id, 'reversed'),
      rule('Please change the rule for this provider in the settings first'),
    )
    await sofia.sql`update app_settings set rule_household = 'listed'`
    await close(anton, id, 'reversed')
    expect([await isPrivate(), await sql`select from provider_rules`]).toEqual([false, []])
    await ada.sql`insert into provider_rules (provider, rule, reason, ground, clause)
      values ('Netflix', 'off', 'A letter', 'provider', '4.2')`
    await expectRefusal(close(mona, await appealed(olivia), 'reversed'), denied('Only admins can do this'))
    await close(anton, await appealOf(await last(olivia)), 'reversed')
    expect(await sql`select from provider_rules`).toEqual([])
    expect(
      await sql`select from private.decisions where person_id = ${olivia.id} and undone_at is null`,
    ).toEqual([])
  })
})

test('a report about a plan that is gone or handed over leads to what is still possible', async () => {
  const id = await caseOf(zoe, 'plan', plan.id)
  await olivia.sql`delete from subscription_members where user_id = ${marc.id}`
  await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  await expectRefusal(close(mona, id, 'plan-hidden'), notFound('Subscription not found'))
  await close(mona, id, 'warned')
  expect(await told(olivia, 'decision')).toHaveLength(1)
  await report(zoe, 'person', olivia.id)
})
