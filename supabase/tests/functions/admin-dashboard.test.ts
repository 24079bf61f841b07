import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { type SharedPlan, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()
let mo: Person
let ada: Person
beforeAll(async () => {
  mo = await addPerson(db, 'Mo')
  ada = await addPerson(db, 'Ada')
  await grant(mo, 'moderator')
  await grant(ada, 'admin')
})

const ASK = 'select * from get_admin_dashboard()'
/** A moment of the month before this one, and one of this month, whatever day it is; UTC. */
const LAST_MONTH = `date_trunc('month', now() at time zone 'utc') at time zone 'utc' - interval '1 second'`
const THIS_MONTH = `date_trunc('month', now() at time zone 'utc') at time zone 'utc'`

const grant = (person: Person, role: string) =>
  sql`insert into user_roles (user_id, role) values (${person.id}, ${role})`
const figures = async (person = ada) => {
  const [row] = await person.run<Record<string, unknown>>(ASK)
  return row ?? {}
}
/** What changed among the figures since `before`. */
async function change(before: Record<string, unknown>) {
  const now = await figures()
  const changed = Object.keys(now).map((name) => [name, Number(now[name]) - Number(before[name])] as const)
  return Object.fromEntries(
    changed.filter(([, by]) => by !== 0).map(([name, by]) => [name, Math.round(by * 100) / 100]),
  )
}
/** A plan that was shared at `moment`, as the server says it was. */
async function planOf(owner: Person, moment: string): Promise<SharedPlan> {
  const id = `sub-${owner.id}`
  await db.query(
    `insert into shared_subscriptions (id, owner_id, catalogue_plan_id, owner_max_members, next_payment, created_at)
     values ($1, $2, 'netflix-premium', 4, current_date + 30, ${moment})`,
    [id, owner.id],
  )
  return { id, owner }
}

let before: Record<string, unknown>
let olivia: Person
beforeEach(async () => {
  olivia = await addPerson(db, 'Olivia')
  before = await figures()
})

describe('active plans', () => {
  test('count from when they are active to when they are not', async () => {
    const plan = await sharePlan(db, olivia)
    expect(await change(before)).toEqual({ active_plans: 1 })
    await sql`update shared_subscriptions set status = 'rejected' where id = ${plan.id}`
    expect(await change(before)).toEqual({})
    await sql`update shared_subscriptions set status = 'active' where id = ${plan.id}`
    await sql`update shared_subscriptions set description = 'Another' where id = ${plan.id}`
    expect(await change(before)).toEqual({ active_plans: 1 })
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await change(before)).toEqual({})
  })

  test('are compared with how many there were when the month began', async () => {
    const marc = await addPerson(db, 'Marc')
    const old = await planOf(olivia, LAST_MONTH)
    expect(await change(before)).toMatchObject({ active_plans: 1, active_plans_before: 1 })
    await planOf(marc, THIS_MONTH)
    expect(await change(before)).toMatchObject({ active_plans: 2, active_plans_before: 1 })
    // One that is gone by now was there all the same.
    await sql`delete from shared_subscriptions where id = ${old.id}`
    expect(await change(before)).toMatchObject({ active_plans: 1, active_plans_before: 1 })
  })

  test('do not count while they wait for review, and end with their owner’s account', async () => {
    const plan = await sharePlan(db, olivia)
    await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
    expect(await change(before)).toEqual({})
    await sql`update shared_subscriptions set status = 'active' where id = ${plan.id}`
    await sql`delete from auth.users where id = ${olivia.id}`
    expect(await change(before)).toEqual({ users: -1 })
  })
})

describe('revenue', () => {
  test('is the fees that have been earned, with those of before this month apart', async () => {
    const earn = (key: string) =>
      sql`select private.transfer(${key}, private.ledger_account('outside'), private.ledger_account('fees'), 0.5, 'fee')`
    await earn('one')
    expect(await change(before)).toEqual({ revenue: 0.5 })
    await db.transaction((tx) =>
      tx.script(`alter table private.ledger_entries disable trigger keep;
        update private.ledger_entries set created_at = ${LAST_MONTH};
        alter table private.ledger_entries enable trigger keep`),
    )
    await earn('two')
    expect(await change(before)).toEqual({ revenue: 1, revenue_before: 0.5 })
  })

  test('is not for moderators, who see everything else', async () => {
    const seen = await figures(mo)
    expect(seen).toMatchObject({ revenue: null, revenue_before: null })
    expect(seen).toEqual({ ...(await figures()), revenue: null, revenue_before: null })
  })
})

describe('people', () => {
  test('are all accounts, with those of before this month apart', async () => {
    const marc = await addPerson(db, 'Marc')
    const zoe = await addPerson(db, 'Zoe')
    const since = (person: Person, moment: string) =>
      db.query(`update auth.users set created_at = ${moment} where id = $1`, [person.id])
    await since(marc, THIS_MONTH)
    expect(await change(before)).toEqual({ users: 2 })
    await since(zoe, LAST_MONTH)
    expect(await change(before)).toEqual({ users: 2, users_before: 1 })
    await sql`update auth.users set deleted_at = now() where id = ${zoe.id}`
    expect(await change(before)).toEqual({ users: 1 })
  })

  test('are active when they signed in within 30 days', async () => {
    const signedIn = (ago: string) =>
      sql`update auth.users set last_sign_in_at = now() - ${ago}::interval where id = ${olivia.id}`
    await signedIn('29 days 23 hours')
    expect(await change(before)).toEqual({ active_users: 1 })
    await signedIn('30 days 1 hour')
    expect(await change(before)).toEqual({})
  })

  test('are admins with the role of admin or super-admin', async () => {
    await grant(olivia, 'moderator')
    expect(await change(before)).toEqual({})
    await sql`update user_roles set role = 'admin' where user_id = ${olivia.id}`
    expect(await change(before)).toEqual({ admins: 1 })
    await sql`update user_roles set role = 'super-admin' where user_id = ${olivia.id}`
    expect(await change(before)).toEqual({ admins: 1 })
  })
})
