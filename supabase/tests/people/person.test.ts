// The page of a person: its readers and contents.
import { beforeEach, expect, test } from 'vitest'
import { columnOf, denied, expectRefusal, notFound, rule, single, taken } from '../answers.ts'
import { type Asker, addPerson, addStaff, ownDatabase, type Person } from '../people.ts'
import { join, setTheTable, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

let { olivia, marc, zoe, plan } = await setTheTable(db)
beforeEach(async () => {
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

interface Page {
  name: string
  plans: { id: string }[]
}
const meet = (person: Person, asker: Asker = VISITOR) =>
  single<Page | null>(asker.sql`select get_person(${person.id})`)
const plansOf = async (person: Person, asker: Asker) => (await meet(person, asker))?.plans.map(({ id }) => id)
const reviewsOf = (person: Person, asker: Asker = VISITOR) =>
  asker.sql`select author_id, author_name, avatar_url, plan, rating, answer, may_answer, may_report from reviews_of(${person.id})`

test('it says who somebody is by their first name, how far they can be relied on, and what they share', async () => {
  await sql`update user_profiles set display_name = 'Olivia Van Halen', full_name = 'Olivia Van Halen', phone_number = '+491701234567'
    where user_id = ${olivia.id}`
  for (const asker of [VISITOR, zoe])
    expect(await meet(olivia, asker)).toEqual({
      ...{ id: olivia.id, name: 'Olivia', avatarUrl: null, since: expect.any(String) },
      ...{ level: 'new', rating: null, reviewers: 0 },
      plans: [expect.objectContaining({ id: plan.id, ownerName: 'Olivia' })],
    })
  const said = JSON.stringify([await meet(olivia), await meet(olivia, zoe)])
  for (const secret of ['Halen', '+4917', olivia.email, marc.id, 'Marc']) expect(said).not.toContain(secret)
})

test('visitors meet whoever shares a plan that they may find, and nobody else', async () => {
  expect(await meet(marc)).toBe(null)
  expect(await meet(marc, zoe)).toMatchObject({ name: 'Marc', plans: [] })
  expect(await meet(olivia)).not.toBe(null)
  await sql`update shared_subscriptions set is_private = true where id = ${plan.id}`
  expect([await meet(olivia), await reviewsOf(olivia)]).toEqual([null, []])
  expect([await plansOf(olivia, zoe), await plansOf(olivia, olivia)]).toEqual([[], []])
})

test('people apart find as little of each other as if they did not exist', async () => {
  await review(marc, olivia)
  const lena = await addPerson(db, 'Lena')
  await join(db, lena, await sharePlan(db, marc))
  await olivia.sql`select block_person(${zoe.id})`
  const nobody = { ...zoe, id: '00000000-0000-4000-8000-000000000000' }
  expect(await meet(olivia, zoe)).toEqual(await meet(nobody, zoe))
  expect(await reviewsOf(olivia, zoe)).toEqual([])
  expect(await meet(zoe, olivia)).toEqual(await meet(nobody, olivia))
  await zoe.sql`select block_person(${marc.id})`
  expect(await meet(marc, zoe)).toBe(null)
  expect((await meet(marc, lena))?.plans).toHaveLength(1)
})

test('an account that has ended is nobody, and so is no id at all', async () => {
  await sql`update private.user_profiles set deleted_at = now() where user_id = ${olivia.id}`
  for (const asker of [VISITOR, zoe]) {
    expect(await meet(olivia, asker)).toBe(null)
    expect(await asker.sql`select get_person(null) as page`).toEqual([{ page: null }])
  }
})

test('visitors read reviews by a first name, of no plan, and can neither answer nor report them', async () => {
  await sql`update user_profiles set display_name = 'Marc von und zu', avatar_url = 'https://potluck.example/marc.png'
    where user_id = ${marc.id}`
  await review(marc, olivia)
  const asked = { rating: 4, answer: null, may_answer: false }
  expect(await reviewsOf(olivia)).toEqual([
    { ...asked, author_id: null, author_name: 'Marc', avatar_url: null, plan: null, may_report: false },
  ])
  expect(await reviewsOf(olivia, zoe)).toEqual([
    {
      ...{ ...asked, author_id: marc.id, author_name: 'Marc von und zu', may_report: true },
      ...{ avatar_url: 'https://potluck.example/marc.png', plan: 'Netflix Premium' },
    },
  ])
})

test('staff looks at what is reported about a person, once per report, and never at what is theirs', async () => {
  const mona = await addStaff(db, 'Mona', 'moderator')
  const ada = await addStaff(db, 'Ada', 'admin')
  const report = (by: Person, about: Person, why = 'Asks for my password') =>
    by.sql`select report_person(${about.id}, ${why})`
  const waiting = (by: Person) =>
    by.sql<{ id: string }>`select id, person_name, reporter_name, reason from list_person_reports()
      where person_id in (${olivia.id}, ${ada.id})`
  const close = (by: Person, id = '') => by.sql`select close_person_report(${id}, 'Seen')`
  // Blocked people can still report.
  await olivia.sql`select block_person(${zoe.id})`
  await report(zoe, olivia)
  const twice = taken('You’ve already reported this person. Our team will look at it.')
  await expectRefusal(report(zoe, olivia, 'Again'), twice)
  await expectRefusal(report(zoe, zoe), rule('You cannot report yourself'))
  await expectRefusal(report(zoe, ada, ' '), rule('Please write a sentence'))
  await sql`update private.user_profiles set deleted_at = now() where user_id = ${marc.id}`
  await expectRefusal(report(zoe, marc), notFound('Person not found'))
  await report(zoe, ada)
  await report(ada, olivia, 'Seen it too')
  for (const person of [zoe, olivia])
    await expectRefusal(waiting(person), denied('Only staff can see reports'))
  const [first, about, own] = await waiting(mona)
  expect(first).toMatchObject({ person_name: 'Olivia', reporter_name: 'Zoe', reason: 'Asks for my password' })
  expect(await waiting(ada)).toEqual([first])
  // Browsers receive changes only of the rows that the list shows.
  expect(await ada.sql`select id from person_reports`).toEqual([{ id: first?.id }])
  for (const hers of [about, own])
    await expectRefusal(close(ada, hers?.id), denied('Someone else handles reports by you or about you'))
  await close(ada, first?.id)
  await expectRefusal(close(mona, first?.id), notFound('Report not found'))
  expect(await columnOf(zoe.sql`select message from user_notifications where event = 'report-read'`)).toEqual(
    ['Our team has looked at your report about Olivia.'],
  )
  expect(await olivia.sql`select title from user_notifications where title ~ 'Report'`).toEqual([])
  await report(zoe, olivia, 'It goes on')
  expect(await waiting(mona)).toHaveLength(3)
})

test('what people write to support is answered once, by staff, and kept without them once they have left', async () => {
  const mona = await addStaff(db, 'Mo', 'moderator')
  const leaver = await addPerson(db, 'Leo')
  const told = (by: Person, event: string) =>
    columnOf(by.sql`select message from user_notifications where event = ${event}`)
  const open = async () =>
    single<string>(db.query('select id from private.support_requests where answer is null'))
  await expectRefusal(leaver.sql`select write_to_support(' ')`, rule('Please write a sentence'))
  await expectRefusal(
    leaver.sql`select write_to_support(${'x'.repeat(2001)})`,
    rule('Please use up to 2000 characters'),
  )
  await leaver.sql`select write_to_support('Where is my receipt?')`
  expect(await told(mona, 'support-asked')).toEqual(['Leo: Where is my receipt?'])
  const answer = (by: Person, id: string) => by.sql`select answer_support_request(${id}, 'Under My Payments')`
  const first = await open()
  await expectRefusal(answer(leaver, first), denied('Only staff can answer'))
  await answer(mona, first)
  await expectRefusal(answer(mona, first), notFound('We can’t find this question'))
  expect(await told(leaver, 'support-answered')).toEqual(['Under My Payments'])
  expect(await leaver.sql`select request, answer from my_support_requests()`).toEqual([
    { request: 'Where is my receipt?', answer: 'Under My Payments' },
  ])
  await mona.sql`select write_to_support('Do I see this?')`
  await expectRefusal(answer(mona, await open()), denied('Someone else answers your own questions'))
  await leaver.sql`select delete_own_account()`
  expect(await mona.sql`select writer_name, answer from list_support_requests(true)`).toEqual([
    { writer_name: null, answer: 'Under My Payments' },
  ])
})

/** Adds a published review by the author about the subject, for their seat. */
async function review(author: Person, subject: Person) {
  await sql`insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
    select id, ${author.id}, ${subject.id}, 4, 'Fine', now() - interval '1 day' from private.seats
    where owner_id = ${subject.id} and member_id = ${author.id}`
}
