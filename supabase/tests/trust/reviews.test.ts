// Reviews: their authors and times, the publication of both, and one answer.
// Proves REP 04 05
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, denied, expectRefusal, notFound, rule, single, taken } from '../answers.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { join, setTheTable } from '../plans.ts'

const { db, sql } = await ownDatabase()

let { olivia, marc, zoe, plan } = await setTheTable(db)
let seat = ''
beforeEach(async () => {
  await sql`update private.clock set ahead = '0'`
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
  seat = await seatOf(marc)
})

const seatOf = (person: Person) => single(person.sql`select id from my_seats() where ended_at is null`)
const days = (count: number) => sql`update private.clock set ahead = ahead + ${`${count} days`}::interval`
const review = (person: Person, rating: number | null = 5, text = 'All well', id = seat) =>
  person.sql`select review_seat(${id}, ${rating}, ${text})`
const read = (of: Person, by = zoe) =>
  by.sql<{ id: string }>`
    select id, rating, body, answer, may_answer, may_report, author_name from reviews_of(${of.id})`
const idOf = async (of: Person) => (await read(of))[0]?.id ?? ''
const rating = async (of: Person) =>
  (await zoe.run('select rating::float8 as rating, reviewers from standing_of($1)', [`{${of.id}}`]))[0]
const EARLY = rule('You can review each other after 14 days of access')
const LONG = rule('Please use up to 500 characters')
/** Makes a direct payment that both sides confirm. */
async function pay(member = marc) {
  await member.sql`select say_paid(id) from member_payments where member_id = ${member.id} and status = 'due'`
  await olivia.sql`select confirm_payment(id) from member_payments where member_id = ${member.id} and status = 'claimed'`
}
/** Lets the member and the owner write reviews about each other. */
async function reviewed() {
  await pay()
  await days(15)
  await review(marc, 2, 'Slow to answer')
  await review(olivia)
}

describe('a review', () => {
  test('is for both sides after 14 days of access, and for nobody else', async () => {
    await days(13.9)
    for (const side of [olivia, marc]) await expectRefusal(review(side), EARLY)
    expect(await marc.sql`select seat_id from reviews_to_write()`).toEqual([])
    await days(0.2)
    await expectRefusal(review(zoe), notFound('Place not found'))
    const toWrite = (side: Person) =>
      side.sql`select seat_id, plan, person_id, as_owner, they_wrote from reviews_to_write()`
    const open = { seat_id: seat, plan: 'Netflix Premium', they_wrote: false }
    expect(await toWrite(olivia)).toEqual([{ ...open, person_id: marc.id, as_owner: true }])
    expect(await toWrite(marc)).toEqual([{ ...open, person_id: olivia.id, as_owner: false }])
    for (const side of [olivia, marc]) await review(side)
  })

  test('takes as long of a place that has ended, and stays possible when its plan is gone', async () => {
    await days(13.9)
    await marc.sql`select leave_seat(${seat}, true)`
    await days(30)
    for (const side of [olivia, marc]) await expectRefusal(review(side), EARLY)
    await join(db, marc, plan)
    seat = await seatOf(marc)
    await days(15)
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    for (const side of [olivia, marc]) await review(side)
    expect(await read(olivia)).toHaveLength(1)
  })

  test.each([
    ['nobody has said was paid', []],
    ['only the member says is paid', ['say']],
    ['only the owner has confirmed', ['confirm']],
  ])('of a place that %s can be read but counts for nothing', async (_, steps) => {
    if (steps.includes('say')) await marc.sql`select say_paid(id) from member_payments`
    if (steps.includes('confirm')) await olivia.sql`select confirm_payment(id) from member_payments`
    await days(15)
    await review(marc, 5)
    await review(olivia)
    expect(await read(olivia)).toHaveLength(1)
    expect(await rating(olivia)).toEqual({ rating: null, reviewers: 0 })
    expect(
      await single(zoe.run('select hours_given + paid_on_time from standing_of($1)', [`{${olivia.id}}`])),
    ).toBe(0)
  })

  test('is written once per place and side, of 1 to 5 and up to 500 characters', async () => {
    await days(15)
    for (const wrong of [0, 6, null])
      await expectRefusal(review(marc, wrong), rule('Please choose 1 to 5 stars'))
    await expectRefusal(review(marc, 4, 'x'.repeat(501)), LONG)
    await review(marc, 5, 'x'.repeat(500))
    await expectRefusal(review(marc), taken('You’ve already written a review'))
    // A second place permits a second review.
    await marc.sql`select leave_seat(${seat}, true)`
    await join(db, marc, plan)
    await days(15)
    await review(marc, 1, '', await seatOf(marc))
  })

  test('appears when the other has written too', async () => {
    await days(15)
    await review(marc, 2, 'Slow')
    for (const reader of [olivia, marc, zoe]) expect(await read(olivia, reader)).toEqual([])
    expect(await rating(olivia)).toEqual({ rating: null, reviewers: 0 })
    expect(await columnOf(olivia.sql`select they_wrote from reviews_to_write()`)).toEqual([true])
    await review(olivia, 5, 'On time')
    expect(await read(olivia)).toMatchObject([{ rating: 2, body: 'Slow', author_name: 'Marc' }])
    expect(await read(marc)).toMatchObject([{ rating: 5, body: 'On time', author_name: 'Olivia' }])
    const news = (person: Person) =>
      columnOf(person.sql`select event from user_notifications where event like 'review%'`)
    expect([await news(olivia), await news(marc)]).toEqual([['review-waits'], ['reviews-shown']])
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

  test('is known without its author’s name once that account is gone, and goes with whom it is about', async () => {
    await reviewed()
    await marc.sql`select delete_own_account()`
    expect(await read(olivia)).toMatchObject([{ rating: 2, author_name: 'Deleted account' }])
    expect(await sql`select id from private.seat_reviews where subject_id = ${marc.id}`).toEqual([])
    expect(await read(marc, await addPerson(db, 'Nina'))).toEqual([])
  })
})

test('the average is over people, each by what they wrote last', async () => {
  await reviewed()
  expect(await rating(olivia)).toEqual({ rating: 2, reviewers: 1 })
  await marc.sql`select leave_seat(${seat}, true)`
  await join(db, marc, plan)
  await join(db, zoe, plan)
  for (const member of [marc, zoe]) await pay(member)
  await days(15)
  await review(marc, 5, '', await seatOf(marc))
  await review(zoe, 4, '', await seatOf(zoe))
  await days(8)
  expect(await rating(olivia)).toEqual({ rating: 4.5, reviewers: 2 })
})

describe('an answer', () => {
  const answer = (person: Person, id: string, text = 'I was ill') =>
    person.sql`select answer_review(${id}, ${text})`

  test('is for whom the review is about, once, and everybody reads it', async () => {
    await reviewed()
    const id = await idOf(olivia)
    expect(await read(olivia, olivia)).toMatchObject([{ may_answer: true }])
    for (const other of [marc, zoe])
      await expectRefusal(answer(other, id), denied('You can only answer reviews about you'))
    await expectRefusal(answer(olivia, id, ' '), rule('Please write a sentence'))
    await expectRefusal(answer(olivia, id, 'x'.repeat(501)), LONG)
    await answer(olivia, id)
    await expectRefusal(answer(olivia, id), taken('You’ve already answered this review'))
    expect(await read(olivia, olivia)).toMatchObject([{ answer: 'I was ill', may_answer: false }])
    expect(await read(olivia)).toMatchObject([{ answer: 'I was ill' }])
  })

  test('is no way to learn of a review that waits', async () => {
    await days(15)
    await review(marc)
    const hidden = await single(sql`select id from private.seat_reviews where seat_id = ${seat}`)
    await expectRefusal(answer(olivia, hidden), notFound('Review not found'))
  })
})
