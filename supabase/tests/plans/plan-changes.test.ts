// The history of a plan: who has changed what, and who may read it.
import { expect, test } from 'vitest'
import { REASONS } from '../cases.ts'
import { addPeople, addPerson, addStaff, notFound, ownDatabase, type Person, refusalOf } from '../people.ts'
import { sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()

const history = (reader: Person, id: string) =>
  reader.sql<{ person: string | null; what: string; was: string | null; becomes: string | null }>`
    select person, what, was, becomes from plan_changes(${id})`

test('tells the owner and staff what changed, who changed it, the newest first; nobody else, and nothing that did not change', async () => {
  const [olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
  const sam = await addStaff(db, 'Sam', 'moderator')
  const plan = await sharePlan(db, olivia)
  expect(await history(olivia, plan.id)).toEqual([])

  await olivia.sql`update shared_subscriptions set owner_max_members = 3, is_private = true where id = ${plan.id}`
  await olivia.sql`update shared_subscriptions set owner_max_members = 3, next_payment = current_date + 40 where id = ${plan.id}`
  await sam.sql`update shared_subscriptions set owner_max_members = 2 where id = ${plan.id}`
  const [renewal] = await sql<{ was: string; becomes: string }>`
    select (current_date + 30)::text as was, (current_date + 40)::text as becomes`
  const told = [
    { person: olivia.name, what: 'renewal', ...renewal },
    { person: olivia.name, what: 'places', was: '4', becomes: '3' },
    { person: olivia.name, what: 'private', was: 'false', becomes: 'true' },
  ]
  expect(await history(olivia, plan.id)).toEqual(told)
  expect(await history(sam, plan.id)).toEqual(told)
  expect(await refusalOf(history(zoe, plan.id))).toEqual(notFound('Subscription not found'))
})

test('tells of staff who reject a plan, and outlives the account of who did', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const sam = await addStaff(db, 'Sam', 'admin')
  const plan = await sharePlan(db, olivia)
  await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
  await sam.sql`select review_plan(${plan.id}, 'reject', ${REASONS})`
  const expected = (person: string | null) => [
    { person, what: 'status', was: 'pending', becomes: 'rejected' },
    { person: null, what: 'status', was: 'active', becomes: 'pending' },
  ]
  expect(await history(olivia, plan.id)).toEqual(expected(sam.name))
  await sql`delete from auth.users where id = ${sam.id}`
  expect(await history(olivia, plan.id)).toEqual(expected(null))
})
