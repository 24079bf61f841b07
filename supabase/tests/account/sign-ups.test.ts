// Who may create an account, as the auth service asks before it creates one.
import { expect, test } from 'vitest'
import { single } from '../answers.ts'
import { invitationsIn } from '../invitations.ts'
import { addPeople, ownDatabase } from '../people.ts'
import { sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const { invite, withdraw, passDays } = invitationsIn(db)

const asked = (email: string) =>
  single(sql`select private.before_user_created(${JSON.stringify({ user: { email } })}::jsonb)`)
const REFUSED = {
  error: { http_code: 403, message: 'Only people who were invited can create an account here' },
}

test('a site for invited people lets in nobody without an open invitation', async () => {
  const [olivia] = await addPeople(db, ['Olivia'])
  const plan = await sharePlan(db, olivia)
  await invite(plan, 'invited@potluck.example')
  await withdraw(olivia, await invite(plan, 'withdrawn@potluck.example'))
  await passDays(await invite(plan, 'late@potluck.example'), 8)
  const answers = async () => {
    const addresses = ['invited', 'INVITED', 'withdrawn', 'late', 'stranger']
    const all = await Promise.all(addresses.map((who) => asked(`${who}@potluck.example`)))
    return Object.fromEntries(addresses.map((who, at) => [who, all[at]]))
  }
  const open = { invited: {}, INVITED: {}, withdrawn: {}, late: {}, stranger: {} }
  expect(await single(VISITOR.sql`select sign_ups()`)).toBe('everyone')
  expect(await answers()).toEqual(open)
  await sql`update app_settings set sign_ups = 'invited'`
  expect(await single(VISITOR.sql`select sign_ups()`)).toBe('invited')
  expect(await answers()).toEqual({ ...open, withdrawn: REFUSED, late: REFUSED, stranger: REFUSED })
  // A request of the auth service without an address, such as a sign-up by phone, is refused too.
  expect(await single(sql`select private.before_user_created('{}')`)).toEqual(REFUSED)
})

test('an invitation admits one account, also after that account has changed its address', async () => {
  await sql`update app_settings set sign_ups = 'invited'`
  const [owner] = await addPeople(db, ['Otto'])
  const plan = await sharePlan(db, owner)
  const signUp = () =>
    sql<{ id: string }>`insert into auth.users (email) values ('Twice@potluck.example') returning id`
  const twice = () => asked('twice@potluck.example')
  await invite(plan, 'twice@potluck.example')
  const [first] = await signUp()
  await sql`update auth.users set email = 'moved@potluck.example' where id = ${String(first?.id)}`
  expect(await twice()).toEqual(REFUSED)
  // Another owner's invitation admits another account.
  const [second] = await addPeople(db, ['Sara'])
  const other = await invite(await sharePlan(db, second), 'twice@potluck.example')
  expect(await twice()).toEqual({})
  await withdraw(second, other)
  expect(await twice()).toEqual(REFUSED)
  // Whoever deletes the account may come back.
  await sql`delete from auth.users where id = ${String(first?.id)}`
  expect(await twice()).toEqual({})
})
