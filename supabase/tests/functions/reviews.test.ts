// Reviews: who may write one and when, when both come out, one answer, one report, and what staff decides.
import { beforeEach, describe, expect, test } from 'vitest'
import {
  addPerson,
  addStaff,
  DENIED,
  denied,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
  taken,
} from '../people.ts'
import { join, type SharedPlan, setTheTable } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
let seat = ''
beforeEach(async () => {
  await sql`update private.clock set ahead = '0'`
  const table = await setTheTable(db)
  olivia = table.olivia
  marc = table.marc
  zoe = table.zoe
  plan = table.plan
  seat = (await marc.sql<{ id: string }>`select id from my_seats()`)[0]?.id ?? ''
})

const days = (count: number) => sql`update private.clock set ahead = ahead + ${`${count} days`}::interval`
const review = (person: Person, rating = 5, text = 'All well', id = seat) =>
  person.sql`select review_seat(${id}, ${rating}, ${text})`
const read = (of: Person, by = zoe) =>
  by.sql<{ id: string; rating: number; body: string; may_answer: boolean; may_report: boolean }>`
    select id, rating, body, answer, may_answer, may_report, author_name from reviews_of(${of.id})`
const idOf = async (of: Person) => (await read(of))[0]?.id ?? ''
const rating = async (of: Person) =>
  (
    await zoe.run<{ rating: number | null; reviewers: number }>(
      'select rating::float8 as rating, reviewers from standing_of($1)',
      [`{${of.id}}`],
    )
  )[0]
const EARLY = rule('You can review each other after 14 days of access, or when the place has ended')
/** Both have written about each other. */
async function reviewed() {
  await days(15)
  await review(marc, 2, 'Slow to answer')
  await review(olivia)
}

describe('a review', () => {
  test('is for both sides after 14 days of access, and for nobody else', async () => {
    await days(13.9)
    for (const side of [olivia, marc]) expect(await refusalOf(review(side))).toEqual(EARLY)
    expect(await marc.sql`select seat_id from reviews_to_write()`).toEqual([])
    await days(0.2)
    expect(await refusalOf(review(zoe))).toEqual(notFound('Place not found'))
    expect(await refusalOf(VISITOR.sql`select review_seat(${seat}, 5)`)).toMatchObject(DENIED)
    for (const [side, other] of [
      [olivia, marc],
      [marc, olivia],
    ] as const)
      expect(await side.sql`select seat_id, plan, person_id, they_wrote from reviews_to_write()`).toEqual([
        { seat_id: seat, plan: 'Netflix Premium', person_id: other.id, they_wrote: false },
      ])
    await review(marc)
    await review(olivia)
  })

  test('is possible at once when the place has ended, also when its plan is gone', async () => {
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    await review(marc)
    await review(olivia)
    expect(await read(olivia)).toHaveLength(1)
  })

  test('needs access or a payment: a place that was never paid is nothing to review', async () => {
    await sql`update member_payments set starts_at = null, settlement = 'potluck' where seat_id = ${seat}`
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    expect(await refusalOf(review(marc))).toEqual(EARLY)
    await sql`update member_payments set paid_at = now() where seat_id = ${seat}`
    await review(marc)
  })

  test('is written once per place and side, of 1 to 5 and up to 500 characters', async () => {
    await days(15)
    for (const wrong of [0, 6, null] as number[])
      expect(await refusalOf(review(marc, wrong))).toEqual(rule('A review gives 1 to 5'))
    expect(await refusalOf(review(marc, 4, 'x'.repeat(501)))).toEqual(
      rule('This can be at most 500 characters long'),
    )
    await review(marc, 4, 'x'.repeat(500))
    expect(await refusalOf(review(marc))).toEqual(taken('You have reviewed this already'))
    // Another place, another review.
    await marc.sql`select leave_seat(${seat}, true)`
    await join(db, marc, plan)
    const [second] = await marc.sql<{ id: string }>`select id from my_seats() where ended_at is null`
    await days(15)
    await review(marc, 3, '', second?.id)
  })

  test('appears when the other has written too', async () => {
    await days(15)
    await review(marc, 2, 'Slow')
    for (const reader of [olivia, marc, zoe]) expect(await read(olivia, reader)).toEqual([])
    expect(await rating(olivia)).toEqual({ rating: null, reviewers: 0 })
    expect(await olivia.sql`select they_wrote from reviews_to_write()`).toEqual([{ they_wrote: true }])
    await review(olivia, 5, 'On time')
    expect(await read(olivia)).toMatchObject([{ rating: 2, body: 'Slow', author_name: 'Marc' }])
    expect(await read(marc)).toMatchObject([{ rating: 5, body: 'On time', author_name: 'Olivia' }])
    const news = async (person: Person) =>
      person.sql`select event from user_notifications where event like 'review%'`
    expect([await news(olivia), await news(marc)]).toEqual([
      [{ event: 'review-waits' }],
      [{ event: 'reviews-shown' }],
    ])
  })

  test('appears alone after 7 days, and one that follows is there at once', async () => {
    await days(15)
    await review(marc, 2)
    await days(6.99)
    expect(await read(olivia)).toEqual([])
    await days(0.02)
    expect(await read(olivia)).toHaveLength(1)
    await review(olivia)
    expect(await read(marc)).toHaveLength(1)
  })

  test('written by both at once brings both out', async () => {
    await days(15)
    await Promise.all([review(marc), review(olivia)])
    expect([(await read(olivia)).length, (await read(marc)).length]).toEqual([1, 1])
  })
})

describe('the average', () => {
  test('is over people, each by what they wrote last', async () => {
    await reviewed()
    expect(await rating(olivia)).toEqual({ rating: 2, reviewers: 1 })
    await marc.sql`select leave_seat(${seat}, true)`
    await join(db, marc, plan)
    await join(db, zoe, plan)
    await sql`select id from private.seats`
    await days(15)
    for (const [person, stars] of [
      [marc, 5],
      [zoe, 4],
    ] as const) {
      const [next] = await person.sql<{ id: string }>`select id from my_seats() where ended_at is null`
      await review(person, stars, '', next?.id)
    }
    await days(8)
    expect(await rating(olivia)).toEqual({ rating: 4.5, reviewers: 2 })
  })
})

describe('an answer', () => {
  test('is for whom the review is about, once, and everybody reads it', async () => {
    await reviewed()
    const id = await idOf(olivia)
    const answer = (person: Person, text = 'I was ill') => person.sql`select answer_review(${id}, ${text})`
    expect((await read(olivia, olivia))[0]).toMatchObject({ may_answer: true })
    for (const other of [marc, zoe])
      expect(await refusalOf(answer(other))).toEqual(denied('Only whom a review is about answers it'))
    expect(await refusalOf(answer(olivia, ' '))).toEqual(rule('Please write a sentence'))
    expect(await refusalOf(answer(olivia, 'x'.repeat(501)))).toEqual(
      rule('This can be at most 500 characters long'),
    )
    await answer(olivia)
    expect(await refusalOf(answer(olivia))).toEqual(taken('You have answered this review already'))
    expect((await read(olivia))[0]).toMatchObject({ answer: 'I was ill', may_answer: false })
  })

  test('is no way to learn of a review that waits', async () => {
    await days(15)
    await review(marc)
    const [hidden] = await sql<{ id: string }>`select id from private.seat_reviews where seat_id = ${seat}`
    expect(await refusalOf(olivia.sql`select answer_review(${hidden?.id}, 'Well')`)).toEqual(
      notFound('Review not found'),
    )
  })
})

describe('a report', () => {
  const report = (person: Person, id: string) => person.sql`select report_review(${id}, 'Not true')`
  test('brings a review to staff, who hides it with a reason its author reads', async () => {
    await reviewed()
    const id = await idOf(olivia)
    const mona = await addStaff(db, 'Mona', 'moderator')
    const decide = (person: Person, reason: string | null) =>
      person.sql`select decide_review(${id}, ${reason})`
    expect(await refusalOf(decide(mona, 'Rude'))).toEqual(rule('Nobody has reported this review'))
    expect(await refusalOf(report(marc, id))).toEqual(rule('You wrote this review yourself'))
    await report(olivia, id)
    expect(await refusalOf(report(zoe, id))).toEqual(taken('This review has been reported already'))
    expect(await mona.sql`select author_name, subject_name, reason from list_reported_reviews()`).toEqual([
      { author_name: 'Marc', subject_name: 'Olivia', reason: 'Not true' },
    ])
    for (const other of [olivia, marc, zoe])
      for (const call of [
        () => decide(other, 'Rude'),
        () => other.sql`select * from list_reported_reviews()`,
      ])
        expect(await refusalOf(call())).toEqual(denied('Only staff decides about reviews'))
    expect(await refusalOf(decide(mona, ' '))).toEqual(rule('Please write a sentence'))
    await decide(mona, 'It names a third person')
    expect(await read(olivia)).toEqual([])
    expect(await rating(olivia)).toEqual({ rating: null, reviewers: 0 })
    expect(await mona.sql`select id from list_reported_reviews()`).toEqual([])
    expect(await marc.sql`select message from user_notifications where event = 'review-hidden'`).toEqual([
      { message: 'Your review of Olivia is no longer shown: It names a third person' },
    ])
    expect(
      await sql`select actor, action, details ->> 'reason' as reason from private.staff_log where subject = ${id}`,
    ).toEqual([{ actor: mona.id, action: 'review hidden', reason: 'It names a third person' }])
    expect(await refusalOf(decide(mona, null))).toEqual(notFound('Review not found'))
  })

  test('that comes to nothing leaves the review, for good', async () => {
    await reviewed()
    const id = await idOf(olivia)
    const mona = await addStaff(db, 'Mona', 'moderator')
    await report(zoe, id)
    await mona.sql`select decide_review(${id})`
    expect(await read(olivia)).toMatchObject([{ may_report: false }])
    expect(await refusalOf(report(olivia, id))).toEqual(taken('This review has been reported already'))
    expect(await sql`select action from private.staff_log where subject = ${id}`).toEqual([
      { action: 'review left' },
    ])
  })

  test('is decided by nobody it is about', async () => {
    await sql`insert into user_roles (user_id, role) values (${olivia.id}, 'moderator')`
    await reviewed()
    const id = await idOf(olivia)
    await report(zoe, id)
    expect(await olivia.sql`select id from list_reported_reviews()`).toEqual([])
    expect(await refusalOf(olivia.sql`select decide_review(${id}, 'I say so')`)).toEqual(
      denied('Someone else decides about your own reviews'),
    )
  })
})

test('what was written of an account goes with it, and what it wrote stays without its name', async () => {
  await reviewed()
  await marc.sql`select delete_own_account()`
  expect(await read(olivia)).toMatchObject([{ rating: 2, author_name: 'Deleted account' }])
  expect(await sql`select id from private.seat_reviews where subject_id = ${marc.id}`).toEqual([])
  const nina = await addPerson(db, 'Nina')
  expect(await read(marc, nina)).toEqual([])
})
