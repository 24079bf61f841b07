// Roles and reviews decided by several staff members at the same moment.
// Proves NOTIF 03 04 10, ROLE 06 07 13, CREATE 15, WALLET 08 11 14, ADMIN 27 34 35 38 47, API 47 48 50,
// VALID 22
import { expect, test } from 'vitest'
import { REASONS } from '../cases.ts'
import { addPerson, addStaff, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { sharePlan } from '../plans.ts'
import { race } from '../race.ts'

const { db, sql } = await ownDatabase()
const assign = (who: Person, whom: Person, role: string) =>
  who.sql`select assign_user_role(${whom.id}, ${role}) as success`

test('a super-admin grants a role, changes it and, with an empty one, takes it away', async () => {
  const [sofia, zoe] = [await addStaff(db, 'Sofia', 'super-admin'), await addPerson(db, 'Zoe')]
  const held = () => sql`select role, granted_by from user_roles where user_id = ${zoe.id}`
  for (const role of ['moderator', 'admin', '']) {
    expect(await assign(sofia, zoe, role)).toEqual([{ success: true }])
    expect(await held()).toEqual(role ? [{ role, granted_by: sofia.id }] : [])
  }
  expect(await refusalOf(assign(sofia, zoe, 'emperor'))).toEqual(rule('There is no role "emperor"'))
})

test('two super-admins who remove each other at once: one stays', async () => {
  const { db, sql } = await ownDatabase()
  const [sofia, selma] = [
    await addStaff(db, 'Sofia', 'super-admin'),
    await addStaff(db, 'Selma', 'super-admin'),
  ]
  await race([() => assign(sofia, selma, ''), () => assign(selma, sofia, '')])
  expect(await sql`select 1 from user_roles where role = 'super-admin'`).toHaveLength(1)
})

test('of ten decisions about one plan one holds, and its owner hears of that one', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const plan = await sharePlan(db, olivia)
  await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
  const staff = await Promise.all(Array.from({ length: 10 }, () => addStaff(db, 'Mona', 'moderator')))
  const review =
    ({ sql }: Person, place: number) =>
    () =>
      sql`select review_plan(${plan.id}, ${place % 2 === 0 ? 'approve' : 'reject'}, ${REASONS})`
  const outcome = await race(staff.map(review))
  const [after] = await sql<{ status: string }>`select status from shared_subscriptions where id = ${plan.id}`
  expect(['active', 'rejected']).toContain(after?.status)
  expect(outcome).toEqual({ done: 1, [`23514: This plan is already ${after?.status}`]: 9 })
  expect(await sql`select 1 from user_notifications where user_id = ${olivia.id}`).toHaveLength(1)
})

test('of ten answers to one request for a role one holds, and who asked hears of that one', async () => {
  const zoe = await addPerson(db, 'Zoe')
  const asked = { name: 'Zoe Day', email: zoe.email, reason: 'I would like to help with payouts.' }
  const { id } = await zoe.insert('admin_role_requests', asked)
  const staff = await Promise.all(Array.from({ length: 10 }, () => addStaff(db, 'Sofia', 'super-admin')))
  const answer =
    ({ sql }: Person, place: number) =>
    () =>
      sql`update admin_role_requests set status = ${place % 2 === 0 ? 'approved' : 'rejected'} where id = ${id}`
  const outcome = await race(staff.map(answer))
  const [after] = await sql<{ status: string }>`select status from admin_role_requests where id = ${id}`
  // The same answer again changes nothing.
  expect(outcome).toEqual({ done: 5, [`23514: This request has already been ${after?.status}`]: 5 })
  expect(await sql`select role from user_roles where user_id = ${zoe.id}`).toEqual(
    after?.status === 'approved' ? [{ role: 'admin' }] : [],
  )
  expect(await sql`select 1 from user_notifications where user_id = ${zoe.id}`).toHaveLength(1)
})
