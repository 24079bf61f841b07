// The page of a person: its readers and contents.
import { beforeEach, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { type Asker, addPerson, ownDatabase, type Person } from '../people.ts'
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

test('visitors read reviews by a first name, of no plan, and can report but not answer them', async () => {
  await sql`update user_profiles set display_name = 'Marc von und zu', avatar_url = 'https://potluck.example/marc.png'
    where user_id = ${marc.id}`
  await review(marc, olivia)
  const asked = { rating: 4, answer: null, may_answer: false }
  expect(await reviewsOf(olivia)).toEqual([
    { ...asked, author_id: null, author_name: 'Marc', avatar_url: null, plan: null, may_report: true },
  ])
  expect(await reviewsOf(olivia, zoe)).toEqual([
    {
      ...{ ...asked, author_id: marc.id, author_name: 'Marc von und zu', may_report: true },
      ...{ avatar_url: 'https://potluck.example/marc.png', plan: 'Netflix Premium' },
    },
  ])
})

/** Adds a published review by the author about the subject, for their seat. */
async function review(author: Person, subject: Person) {
  await sql`insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
    select id, ${author.id}, ${subject.id}, 4, 'Fine', now() - interval '1 day' from private.seats
    where owner_id = ${subject.id} and member_id = ${author.id}`
}
