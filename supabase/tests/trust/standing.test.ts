// Standing is derived from facts: the events that count, the limit for one pair of people, and the requirements of each
// level.
// Proves REP 01 02
import { beforeEach, describe, expect, test } from 'vitest'
import { DENIED, expectRefusal, single } from '../answers.ts'
import { paidMonths } from '../paid-months.ts'
import { addPeople, addPerson, ownDatabase, type Person } from '../people.ts'
import { approve, ask, join, setTheTable, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const { months } = paidMonths(db)
const nina = await addPerson(db, 'Nina')

type Facts = {
  level: string
  days_here: number
  hours_given: number
  paid_on_time: number
  paid_late: number
  problems: number
  unkept_debts: number
  answers: number
  answer_minutes: number | null
}

let { olivia, marc, plan } = await setTheTable(db)
beforeEach(async () => {
  await sql`update private.clock set ahead = '0'`
  ;({ olivia, marc, plan } = await setTheTable(db))
  await olivia.insert('payment_wishes', { kind: 'text', note: 'Cash at dinner' })
})

/** Returns a person's standing as a stranger sees it. */
async function standing(person: Person): Promise<Facts> {
  const [facts] = await nina.run<Facts>('select * from standing_of($1)', [`{${person.id}}`])
  if (!facts) throw new Error(`Nothing is known of ${person.name}`)
  await expectKnown(person)
  // Later queries use the cached facts.
  await sql`select private.refresh_facts()`
  return facts
}
/** Checks that people's cached facts equal newly computed ones. */
async function expectKnown(...people: Person[]) {
  const ids = `{${people.map(({ id }) => id)}}`
  const [row] = await sql`select
    (select json_agg(f order by user_id) from private.standing_facts(${ids}) as f) as told,
    (select json_agg(json_build_object('user_id', w.user_id,
        'days_here', extract(day from private.now() - u.created_at)::integer,
        'hours_given', floor(extract(epoch from w.access_given) / 3600)::integer, 'paid_on_time', w.paid_on_time,
        'paid_late', w.paid_late, 'problems', w.problems, 'unkept_debts', w.unkept_debts, 'answers', w.answers, 'answer_minutes', w.answer_minutes) order by w.user_id)
      from private.compute_facts(${ids}) as w join user_profiles as u using (user_id)) as anew`
  expect(row?.told).toEqual(row?.anew)
}
const days = (count: number) => sql`update private.clock set ahead = ahead + ${`${count} days`}::interval`
const work = () => sql`select private.run_due_work()`
const pay = async (member = marc) => {
  await member.sql`select say_paid(id) from member_payments where member_id = ${member.id} and status = 'due'`
  await olivia.sql`select confirm_payment(id) from member_payments where member_id = ${member.id} and status = 'claimed'`
}
describe('the facts', () => {
  test('of who has just come are none', async () => {
    expect(await standing(await addPerson(db, 'Zoe'))).toMatchObject({
      ...{ level: 'new', days_here: 0, hours_given: 0, paid_on_time: 0, paid_late: 0 },
      ...{ problems: 0, answers: 0, answer_minutes: null },
    })
  })

  test('an owner has given the hours that were paid and lived, and no others', async () => {
    await days(2)
    expect(await standing(olivia)).toMatchObject({ hours_given: 0, days_here: 2 })
    await pay()
    expect(await standing(olivia)).toMatchObject({ hours_given: 48 })
    expect(await standing(marc)).toMatchObject({ hours_given: 0, paid_on_time: 1 })
    await days(3)
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    await days(5)
    expect(await standing(olivia)).toMatchObject({ hours_given: 120, days_here: 10 })
  })

  test('outlive the plan they come from', async () => {
    await pay()
    await days(1)
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await standing(olivia)).toMatchObject({ hours_given: 24 })
    expect(await standing(marc)).toMatchObject({ paid_on_time: 1 })
  })

  test('a payment is on time for three days, then late, paid or not, and is forgotten after half a year', async () => {
    await days(2.99)
    expect(await standing(marc)).toMatchObject({ paid_on_time: 0, paid_late: 0 })
    await days(0.02)
    expect(await standing(marc)).toMatchObject({ paid_on_time: 0, paid_late: 1 })
    await pay()
    expect(await standing(marc)).toMatchObject({ paid_on_time: 0, paid_late: 1 })
    await marc.sql`select leave_seat(id, true) from my_seats()`
    await days(178)
    expect(await standing(marc)).toMatchObject({ paid_late: 0 })
  })

  test('what the member said in time is on time once the owner confirms it, and late when it never came', async () => {
    await marc.sql`select say_paid(id) from member_payments`
    await days(4)
    expect(await standing(marc)).toMatchObject({ paid_on_time: 0, paid_late: 0 })
    await olivia.sql`select deny_payment(id, 'Nothing here') from member_payments where member_id = ${marc.id}`
    expect(await standing(marc)).toMatchObject({ paid_on_time: 0, paid_late: 1 })
  })

  test('a place that ended because it was not paid stays late', async () => {
    await days(14)
    await work()
    await olivia.sql`select end_late_seat(id) from plan_seats(${plan.id})`
    expect(await standing(marc)).toMatchObject({ paid_late: 1, paid_on_time: 0 })
  })

  test('time without access is not given, and a problem through one’s fault is remembered for half a year', async () => {
    await pay()
    await days(2)
    await marc.sql`select report_problem(id, 'sign-in') from my_seats()`
    await days(2)
    expect(await standing(olivia)).toMatchObject({ hours_given: 48, problems: 0 })
    await work()
    expect(await standing(olivia)).toMatchObject({ hours_given: 48, problems: 1 })
    await days(181)
    expect(await standing(olivia)).toMatchObject({ hours_given: 48, problems: 0 })
  })

  test('a paid place without access is a problem too', async () => {
    await sql`update private.seats set ended_at = private.now(), end_reason = 'no-access' where subscription_id = ${plan.id}`
    expect(await standing(olivia)).toMatchObject({ problems: 1 })
    expect(await standing(marc)).toMatchObject({ problems: 0 })
  })

  test('answers are the median over people, each by the last one; silence takes the whole time', async () => {
    await sql`update subscription_requests set requested_at = decided_at - interval '1 hour' where subscription_id = ${plan.id}`
    expect(await standing(olivia)).toMatchObject({ answers: 1, answer_minutes: 60 })
    const [ann, ben, carl, dora, ivy] = await addPeople(db, ['Ann', 'Ben', 'Carl', 'Dora', 'Ivy'])
    // Requests approved automatically do not count as answered.
    await sql`insert into subscription_requests (subscription_id, user_id, status, instant, requested_at, decided_at)
      values (${plan.id}, ${ivy.id}, 'approved', true, now(), now())`
    expect(await standing(olivia)).toMatchObject({ answers: 1, answer_minutes: 60 })
    const asked = async (person: Person, hoursAgo: number) => {
      const request = await ask(db, person, plan)
      await sql`update subscription_requests set requested_at = now() - ${`${hoursAgo} hours`}::interval where id = ${request}`
      return request
    }
    // Of Ann's three requests only the newest counts: it was answered after an hour.
    for (const hours of [1, 30, 10])
      await olivia.sql`select reject_subscription_request(${await asked(ann, hours)}, ${plan.id})`
    expect(await standing(olivia)).toMatchObject({ answers: 2, answer_minutes: 60 })
    const silent = await ask(db, ben, plan)
    expect(await standing(olivia)).toMatchObject({ answers: 2 })
    await sql`update subscription_requests set requested_at = now() - interval '3 days' where id = ${silent}`
    expect(await standing(olivia)).toMatchObject({ answers: 3, answer_minutes: 60 })
    for (const person of [carl, dora]) await approve(db, plan, await asked(person, 40))
    expect(await standing(olivia)).toMatchObject({ answers: 5, answer_minutes: 40 * 60 })
  })
})

test('what is known holds until something happens, and until time alone changes it', async () => {
  const [ann, ben] = await addPeople(db, ['Ann', 'Ben'])
  await sql`update private.user_profiles set created_at = now() - interval '1 year'`
  await months(ann, olivia, 2)
  for (const person of [ann, ben]) await join(db, person, plan)
  const everybody = [olivia, marc, ann, ben]
  const ids = `{${everybody.map(({ id }) => id)}}`
  const held = () =>
    single<number>(sql`select count(*)::int from private.known_facts as k
      where user_id = any (${ids}) and holds_until > private.now()
        and not exists (select from private.fact_changes where user_id = k.user_id)`)
  let known = 0
  // Meanwhile periods begin and end, payments become late, and late payments and problems expire.
  const events: Record<number, () => Promise<unknown>> = {
    0: () => pay(),
    1: () => pay(ann),
    3: () => pay(ben),
    10: () => marc.sql`select report_problem(id, 'sign-in') from my_seats()`,
    11: () => olivia.sql`select say_fixed(id) from seat_problems where member_id = ${marc.id}`,
    19: () => pay(ann),
    25: () => pay(),
    35: () => ben.sql`select report_problem(id, 'sign-in') from my_seats()`,
    45: () => pay(),
    60: () => marc.sql`delete from subscription_members where user_id = ${marc.id}`,
  }
  for (let step = 0; step < 160; step++) {
    await events[step]?.()
    if (step % 7 === 0) await work()
    await expectKnown(...everybody)
    if (step % 3 === 2) await sql`select private.refresh_facts()`
    known += await held()
    await sql`update private.clock set ahead = ahead + interval '40 hours 3 minutes'`
  }
  // The facts were really cached, not only computed for each query.
  expect(known).toBeGreaterThan(160)
})

test('what is known of answers holds until one is overdue or forgotten, by the clock that requests go by', async () => {
  const [ann, ben] = await addPeople(db, ['Ann', 'Ben'])
  const own = await sharePlan(db, ann)
  const request = await ask(db, ben, own)
  await days(3)
  const holds = async () => {
    await sql`select private.refresh_facts()`
    return single(sql`select (holds_until - (private.now() - now()) - requested_at)::text
      from private.known_facts as k, subscription_requests as r where k.user_id = ${ann.id} and r.id = ${request}`)
  }
  expect(await holds()).toBe('2 days')
  await ann.sql`select reject_subscription_request(${request}, ${own.id})`
  expect(await holds()).toBe('180 days')
})

describe('of one pair of people', () => {
  test('90 days count and no more, on both sides', async () => {
    const [ann, ben, carl] = await addPeople(db, ['Ann', 'Ben', 'Carl'])
    await months(ann, ben, 24)
    await months(ann, ben, 24)
    expect(await standing(ben)).toMatchObject({ hours_given: 90 * 24 })
    expect(await standing(ann)).toMatchObject({ paid_on_time: 3 })
    await months(carl, ben, 1)
    await months(ann, carl, 2)
    expect(await standing(ben)).toMatchObject({ hours_given: 120 * 24 })
    expect(await standing(ann)).toMatchObject({ paid_on_time: 5 })
  })

  test('what was late counts all of it, whoever it was due to', async () => {
    const [ann, ben, carl] = await addPeople(db, ['Ann', 'Ben', 'Carl'])
    for (const owner of [ben, carl]) await months(ann, owner, 1)
    await sql`update member_payments set claimed_at = due_at + interval '4 days' where member_id = ${ann.id}`
    expect(await standing(ann)).toMatchObject({ paid_on_time: 0, paid_late: 2 })
  })

  test('nothing more counts from the moment that is reached', async () => {
    const [ann, ben] = await addPeople(db, ['Ann', 'Ben'])
    await months(ann, ben, 3)
    await sql`update member_payments set starts_at = starts_at + interval '10 days', ends_at = ends_at + interval '30 days'
      where member_id = ${ann.id} and number = 1`
    expect(await standing(ben)).toMatchObject({ hours_given: 80 * 24 })
    await days(5)
    expect(await standing(ben)).toMatchObject({ hours_given: 85 * 24 })
    await days(10)
    expect(await standing(ben)).toMatchObject({ hours_given: 90 * 24 })
  })

  test('none is lifted by the other, however long they pay each other', async () => {
    const [ann, ben] = await addPeople(db, ['Ann', 'Ben'])
    await sql`update private.user_profiles set created_at = now() - interval '5 years' where user_id in (${ann.id}, ${ben.id})`
    await months(ann, ben, 48)
    await months(ben, ann, 48)
    expect([(await standing(ann)).level, (await standing(ben)).level]).toEqual(['new', 'new'])
  })
})

describe('a level', () => {
  const level = ([d, h, p, late, wrong, unkept, minutes]: (number | null)[]) =>
    single(sql`select private.level_of(${d}, ${h}, ${p}, ${late}, ${wrong}, ${unkept}, ${minutes})`)

  test('takes what people are told, each of it to the last day', async () => {
    const below = ['new', 'proven']
    const told = single<{ levels: Record<string, number>[] }>(marc.sql`select get_standing_levels()`)
    const { levels } = await told
    expect(levels.map((one) => one.level)).toEqual(['proven', 'trusted'])
    for (const [n, one] of levels.entries()) {
      const { days_here: d = 0, hours_given: h = 0, paid_on_time: p = 0 } = one
      const {
        most_paid_late: late = 0,
        most_problems: wrong = 0,
        most_unkept_debts: unkept = 0,
        most_answer_hours: answer = 0,
      } = one
      const minutes = answer * 60
      const reached = [
        [d, h, 0, late, wrong, unkept, minutes],
        [d, 0, p, late, wrong, unkept, minutes],
        [d, 0, p, late, wrong, unkept, null],
      ]
      for (const facts of reached) expect([facts, await level(facts)]).toEqual([facts, one.level])
      const missed = [
        [d - 1, h, p, late, wrong, unkept, minutes],
        [d, h - 1, p - 1, late, wrong, unkept, minutes],
        [d, h, p, late + 1, wrong, unkept, minutes],
        [d, h, p, late, wrong + 1, unkept, minutes],
        [d, h, p, late, wrong, unkept, minutes + 1],
      ]
      for (const facts of missed) expect([facts, await level(facts)]).toEqual([facts, below[n]])
      expect(await level([d, h, p, late, wrong, unkept + 1, minutes])).toBe('new')
    }
  })

  test('is the same wherever it is asked for', async () => {
    const members = await addPeople(db, ['Ann', 'Ben'])
    for (const member of members) await months(member, olivia, 3)
    await sql`update private.user_profiles set created_at = now() - interval '40 days' where user_id = ${olivia.id}`
    expect((await standing(olivia)).level).toBe('proven')
    expect(await single(sql`select private.standing_level(${olivia.id})`)).toBe('proven')
    expect(await single(sql`select private.standing_level(${null})`)).toBe('new')
  })
})

test('a page of people is one question, of which visitors get no answer', async () => {
  const other = await sharePlan(db, marc)
  await join(db, olivia, other)
  const ids = [olivia.id, marc.id, '00000000-0000-4000-8000-000000000000']
  expect(await olivia.run('select user_id from standing_of($1) order by user_id', [`{${ids}}`])).toEqual(
    [{ user_id: olivia.id }, { user_id: marc.id }].toSorted((a, b) => a.user_id.localeCompare(b.user_id)),
  )
  await expectRefusal(VISITOR.run('select * from standing_of($1)', [`{${ids}}`]), DENIED)
})
