import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Asker,
  addPerson,
  addStaff,
  DENIED,
  denied,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'

const { db, sql, VISITOR } = await ownDatabase()
let ada: Person
let sofia: Person
beforeAll(async () => {
  ada = await addStaff(db, 'Ada', 'admin')
  sofia = await addStaff(db, 'Sofia', 'super-admin')
})

const decide = (person: Asker, id: string, status: string) =>
  person.sql`update admin_role_requests set status = ${status} where id = ${id} returning status`
const titles = async (person: Person) =>
  (await person.sql<{ title: string }>`select title from user_notifications`).map(({ title }) => title)

const ACCESS = { name: 'Zoe Day', email: 'zoe@potluck.example', reason: 'I would like to help with payouts.' }

describe('an access request', () => {
  const read = (person: Asker, id = '') => person.sql`select * from admin_role_requests where id = ${id}`
  const roleOf = async (person: Person) =>
    (await sql<{ role: string }>`select role from user_roles where user_id = ${person.id}`)[0]?.role
  const wasReviewedNow = async (id: string) => {
    const text = `select reviewed_at between requested_at and clock_timestamp() as now from admin_role_requests where id = $1`
    return (await db.query(text, [id]))[0]?.now
  }

  test('is taken with a name of two characters and a reason of ten', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const request = await zoe.insert('admin_role_requests', {
      name: ' Zo ',
      email: zoe.email,
      reason: ' I can help ',
    })
    const [stored] = await read(zoe, request.id)
    expect(stored).toMatchObject({ name: 'Zo', email: zoe.email, reason: 'I can help', status: 'pending' })
  })

  test('is made in the own name, under the address of the own account, and pending', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const forged = { ...ACCESS, user_id: ada.id }
    expect(await refusalOf(zoe.insert('admin_role_requests', forged))).toEqual(
      denied('You can only ask for yourself'),
    )
    for (const set of [{ status: 'approved' }, { reviewed_at: '2026-01-01' }, { requested_at: '2026-01-01' }])
      expect(await refusalOf(zoe.insert('admin_role_requests', { ...ACCESS, ...set }))).toMatchObject(DENIED)
    const request = await zoe.insert('admin_role_requests', { ...ACCESS, email: sofia.email })
    expect(await read(zoe, request.id)).toMatchObject([
      { user_id: zoe.id, email: zoe.email, status: 'pending', reviewed_at: null },
    ])
  })

  test('approved by a super-admin, it grants the role and dates the review', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff(db, 'Mona', 'moderator')]
    const request = await zoe.insert('admin_role_requests', ACCESS)
    const id = request.id
    for (const person of [ada, mona, zoe])
      for (const status of ['approved', 'rejected']) expect(await decide(person, id, status)).toEqual([])
    expect(await refusalOf(decide(VISITOR, id, 'approved'))).toMatchObject(DENIED)
    expect(await roleOf(zoe)).toBeUndefined()
    expect(await decide(sofia, id, 'approved')).toEqual([{ status: 'approved' }])
    expect(await zoe.sql`select role, granted_by from user_roles where user_id = ${zoe.id}`).toEqual([
      { role: 'admin', granted_by: sofia.id },
    ])
    expect(await wasReviewedNow(id)).toBe(true)
    expect(await titles(zoe)).toEqual(['Admin Access Approved'])
    for (const status of ['rejected', 'pending'])
      expect(await refusalOf(decide(sofia, id, status))).toEqual(
        rule('This request has already been approved'),
      )
    expect(await roleOf(zoe)).toBe('admin')
  })

  test.each([
    ['moderator', 'admin'],
    ['admin', 'admin'],
    ['super-admin', 'super-admin'],
  ])('approved, it makes a %s: %s', async (held, becomes) => {
    const mona = await addStaff(db, 'Mona', held)
    const request = await mona.insert('admin_role_requests', ACCESS)
    await decide(sofia, request.id, 'approved')
    expect(await roleOf(mona)).toBe(becomes)
  })

  test('stays pending when the role cannot be granted, and nobody is told anything', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const request = await zoe.insert('admin_role_requests', ACCESS)
    const id = request.id
    // As an operator may close the team for a while.
    await sql`alter table user_roles add constraint team_is_closed check (role <> 'admin') not valid`
    expect(await refusalOf(decide(sofia, id, 'approved'))).toEqual(rule('Failed to assign admin role'))
    await sql`alter table user_roles drop constraint team_is_closed`
    expect(await read(zoe, id)).toMatchObject([{ status: 'pending', reviewed_at: null }])
    expect(await roleOf(zoe)).toBeUndefined()
    expect(await titles(zoe)).toEqual([])
    expect(await decide(sofia, id, 'approved')).toEqual([{ status: 'approved' }])
    expect(await roleOf(zoe)).toBe('admin')
  })

  test('rejected, it dates the review, grants nothing and is final', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const request = await zoe.insert('admin_role_requests', ACCESS)
    const id = request.id
    expect(await decide(sofia, id, 'rejected')).toEqual([{ status: 'rejected' }])
    expect(await wasReviewedNow(id)).toBe(true)
    expect(await roleOf(zoe)).toBeUndefined()
    expect(await titles(zoe)).toEqual(['Admin Access Rejected'])
    for (const status of ['approved', 'pending'])
      expect(await refusalOf(decide(sofia, id, status))).toMatchObject({
        message: 'This request has already been rejected',
      })
    expect(await zoe.insert('admin_role_requests', ACCESS)).toMatchObject({ status: 'pending' })
  })

  test('is dated by the database, whatever was sent along or later', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const request = await zoe.insert('admin_role_requests', ACCESS)
    const id = request.id
    const dateOnly = `update admin_role_requests set reviewed_at = '2001-01-01' where id = $1 returning reviewed_at`
    expect(await sofia.run(dateOnly, [id])).toEqual([{ reviewed_at: null }])
    const both = `update admin_role_requests set status = 'rejected', reviewed_at = '2001-01-01' where id = $1`
    await sofia.run(both, [id])
    expect(await wasReviewedNow(id)).toBe(true)
    await sofia.run(dateOnly, [id])
    expect(await wasReviewedNow(id)).toBe(true)
  })

  test('is read by its asker and admins, and asked once at a time', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff(db, 'Mona', 'moderator')]
    const request = await zoe.insert('admin_role_requests', ACCESS)
    const id = request.id
    for (const person of [zoe, ada, sofia]) expect(await read(person, id)).toHaveLength(1)
    for (const person of [mona, await addPerson(db, 'Marc')]) expect(await read(person, id)).toEqual([])
    expect(await refusalOf(read(VISITOR, id))).toMatchObject(DENIED)
    expect(await refusalOf(zoe.insert('admin_role_requests', ACCESS))).toMatchObject({ code: '23505' })
    expect(await refusalOf(VISITOR.insert('admin_role_requests', ACCESS))).toMatchObject(DENIED)
    for (const change of [
      'delete from admin_role_requests',
      `update admin_role_requests set reason = 'Please let me in'`,
    ])
      expect(await refusalOf(zoe.run(change))).toMatchObject(DENIED)
  })

  const OWN = denied('Someone else decides about your own request')

  test('of a super-admin is decided by another', async () => {
    const request = await sofia.insert('admin_role_requests', {
      name: 'Sofia',
      email: sofia.email,
      reason: 'Because I would like it.',
    })
    const id = request.id
    for (const status of ['approved', 'rejected'])
      expect(await refusalOf(decide(sofia, id, status))).toEqual(OWN)
    const sam = await addStaff(db, 'Sam', 'super-admin')
    expect(await decide(sam, id, 'rejected')).toEqual([{ status: 'rejected' }])
  })
})
