import { describe, expect, test } from 'vitest'
import {
  type Asker,
  addPeople,
  addPerson,
  DENIED,
  denied,
  notFound,
  ownDatabase,
  refusalOf,
  rule,
  taken,
} from '../people.ts'
import { ask, join, setTheTable, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

const read = (person: Asker, id: string) => person.sql`select * from subscription_requests where id = ${id}`
const setStatus = (person: Asker, id: string, status: string) =>
  person.sql`update subscription_requests set status = ${status} where id = ${id} returning status`
const age = (id: string, hours: number) =>
  sql`update subscription_requests set requested_at = now() - make_interval(hours => ${hours}::int) where id = ${id}`

describe('asking for a place', () => {
  test('is pending, in the name of who is signed in, and the owner is told', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const [request] =
      await zoe.sql`insert into subscription_requests (subscription_id, user_id, name, email, message, status)
       values (${plan.id}, ${zoe.id}, 'The Queen', 'queen@example.com', ' May I? ', 'pending') returning *`
    expect(request).toMatchObject({
      user_id: zoe.id,
      name: 'Zoe',
      email: zoe.email,
      message: 'May I?',
      status: 'pending',
    })
    expect(
      await olivia.sql`select type, title, message from user_notifications where message like 'Zoe%'`,
    ).toEqual([
      { type: 'info', title: 'New Join Request', message: 'Zoe would like to join Netflix Premium.' },
    ])
  })

  test('is refused to the owner', async () => {
    const { olivia, plan } = await setTheTable(db)
    expect(await refusalOf(ask(db, olivia, plan))).toEqual(rule('Owners cannot request their own plan'))
  })

  test('is refused to a member, and to who has asked already', async () => {
    const { marc, zoe, plan } = await setTheTable(db)
    expect(await refusalOf(ask(db, marc, plan))).toEqual(taken('Already a Member'))
    await ask(db, zoe, plan)
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(taken('Request Already Sent'))
  })

  test('is refused when the plan is full', async () => {
    const [olivia, marc, zoe] = await addPeople(db, ['Olivia', 'Marc', 'Zoe'])
    const plan = await sharePlan(db, olivia, { places: 2 })
    await join(db, marc, plan)
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(rule('Subscription Full'))
  })

  test("needs a login and a plan, and is never in somebody else's name", async () => {
    const { marc, zoe, plan } = await setTheTable(db)
    expect(await refusalOf(ask(db, { ...zoe, ...VISITOR }, plan))).toMatchObject(DENIED)
    const insert = (values: string, given: (string | null)[]) =>
      refusalOf(
        zoe.run(`insert into subscription_requests (subscription_id, user_id) values ${values}`, given),
      )
    expect(await insert('(null, null)', [])).toEqual(rule('Subscription ID is required'))
    expect(await insert(`('sub-nowhere', null)`, [])).toEqual(notFound('Subscription not found'))
    expect(await insert('($1, $2)', [plan.id, marc.id])).toEqual(denied('You can only ask for yourself'))
  })

  test('the message has at most 500 characters', async () => {
    const { zoe, plan } = await setTheTable(db)
    expect(await refusalOf(ask(db, zoe, plan, 'x'.repeat(501)))).toEqual(
      rule('The message can be at most 500 characters long'),
    )
    await ask(db, zoe, plan, 'x'.repeat(500))
  })

  test('is possible again after 48 hours, not before', async () => {
    const { zoe, plan } = await setTheTable(db)
    const first = await ask(db, zoe, plan)
    await age(first, 47)
    expect(await refusalOf(ask(db, zoe, plan))).toMatchObject({ message: 'Request Already Sent' })
    await age(first, 48)
    expect(await ask(db, zoe, plan)).not.toBe(first)
    expect(await read(zoe, first)).toMatchObject([{ status: 'pending', expired: true }])
  })

  test.each(['rejected', 'cancelled'])('is possible again once %s', async (status) => {
    const { zoe, plan } = await setTheTable(db)
    const first = await ask(db, zoe, plan)
    await sql`update subscription_requests set status = ${status} where id = ${first}`
    expect(await ask(db, zoe, plan)).not.toBe(first)
  })

  test('is possible ten times a minute', async () => {
    const [olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
    const plan = await sharePlan(db, olivia)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await setStatus(zoe, await ask(db, zoe, plan), 'cancelled')
    }
    expect(await refusalOf(ask(db, zoe, plan))).toMatchObject({ code: 'PT429' })
  })
})

describe('a request', () => {
  test('is cancelled by its requester, and the owner is told', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    expect(await setStatus(zoe, await ask(db, zoe, plan), 'cancelled')).toEqual([{ status: 'cancelled' }])
    expect(
      await olivia.sql`select message from user_notifications where title = 'Request Cancelled'`,
    ).toEqual([{ message: 'Zoe no longer asks to join Netflix Premium.' }])
  })

  test('is not decided by writing its status', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const id = await ask(db, zoe, plan)
    for (const status of ['approved', 'rejected']) {
      expect(await refusalOf(setStatus(zoe, id, status))).toEqual(
        denied("Only the plan's owner decides on a request"),
      )
    }
    expect(await setStatus(olivia, id, 'approved')).toEqual([])
    expect(await setStatus(marc, id, 'cancelled')).toEqual([])
    expect(await read(zoe, id)).toMatchObject([{ status: 'pending' }])
  })

  test('that is approved, rejected or cancelled stays as it is, whoever tries', async () => {
    const { zoe, plan } = await setTheTable(db)
    for (const over of ['approved', 'rejected', 'cancelled']) {
      const id = await ask(db, zoe, plan)
      await sql`update subscription_requests set status = ${over} where id = ${id}`
      const refusal = rule(`This request has already been ${over}`)
      for (const next of ['pending', 'approved', 'rejected', 'cancelled'].filter((state) => state !== over)) {
        expect(await refusalOf(setStatus(zoe, id, next))).toEqual(refusal)
        expect(
          await refusalOf(sql`update subscription_requests set status = ${next} where id = ${id}`),
        ).toEqual(refusal)
      }
      expect(await read(zoe, id)).toMatchObject([{ status: over }])
    }
  })

  test('has an id, a plan, a person with name and address, a message, a time and one of four states', async () => {
    const { zoe, plan } = await setTheTable(db)
    const id = await ask(db, zoe, plan, 'May I?')
    expect((await read(zoe, id))[0]).toMatchObject({
      id,
      subscription_id: plan.id,
      user_id: zoe.id,
      name: 'Zoe',
      email: zoe.email,
      message: 'May I?',
      requested_at: expect.anything(),
      status: 'pending',
    })
    const set = (status: string) => sql`update subscription_requests set status = ${status} where id = ${id}`
    expect(await refusalOf(set('expired'))).toMatchObject({ code: '23514' })
    for (const status of ['approved', 'rejected', 'cancelled']) {
      await sql`delete from subscription_requests where id = ${id}`
      await sql`insert into subscription_requests (id, subscription_id, user_id) values (${id}, ${plan.id}, ${zoe.id})`
      await set(status)
    }
  })

  test('lets people change nothing but its status', async () => {
    const { plan } = await setTheTable(db)
    const zoe = await addPerson(db, 'Zoe')
    const id = await ask(db, zoe, plan)
    for (const column of ['message', 'requested_at', 'user_id', 'subscription_id', 'expired']) {
      const change = `update subscription_requests set ${column} = ${column} where id = $1`
      expect(await refusalOf(zoe.run(change, [id]))).toMatchObject(DENIED)
    }
  })
})
