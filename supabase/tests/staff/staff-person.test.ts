// The staff page of a person: each part requires exactly the permission for the corresponding list.
import { beforeAll, expect, test } from 'vitest'
import { columnOf, denied, expectRefusal, notFound, rule, single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { report } from '../cases.ts'
import { waitingMails } from '../mail-words.ts'
import { addPerson, addStaff, ownDatabase, type Person, signedInWith } from '../people.ts'
import { join, setTheTable, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const strict = await ownDatabase()

type Page = Record<'plans' | 'problems' | 'cases' | 'decisions' | 'log', Record<string, unknown>[] | null> & {
  [field: string]: unknown
  money: null | (Record<'moved' | 'places', Record<string, unknown>[]> & Record<string, unknown>)
}
const PARTS = ['plans', 'money', 'problems', 'cases', 'decisions', 'log'] as const
const read = (reader: Pick<Person, 'sql'>, id: string | null) =>
  single<Page | null>(reader.sql`select get_staff_person(${id})`)
const pageOf = async (reader: Person, person: Person): Promise<Page> => {
  const page = await read(reader, person.id)
  if (!page) throw new Error('There is nobody')
  return page
}

const till = await openTill(db)
const sofia = await addStaff(db, 'Sofia', 'super-admin')
const ada = await addStaff(db, 'Ada', 'admin')
const olivia = await addPerson(db, 'Olivia')
const mia = await till.payer('Mia')
const plan = await till.share(olivia)
beforeAll(async () => {
  await till.enter(mia, plan)
  await till.work()
  await till.pass('8 days')
  await mia.sql`select report_problem(id, 'password') from my_seats()`
  await report(mia, 'person', olivia.id)
  await addBankAccount(db, olivia)
  await ada.sql`select adjust_wallet(${olivia.id}, 30, 'A gift')`
  await olivia.sql`insert into withdrawal_requests (user_id, amount) values (${olivia.id}, 20)`
  await sql`update user_profiles set full_name = 'Olivia Whole', phone_number = '+491701234567' where user_id = ${olivia.id}`
})

test('a super-admin reads all of it, from both sides of a place', async () => {
  const owner = await pageOf(sofia, olivia)
  expect(owner).toMatchObject({
    ...{ id: olivia.id, name: 'Olivia', email: olivia.email },
    ...{ role: null, suspendedUntil: null, endedAt: null },
    plans: [{ id: plan.id, name: 'Netflix Premium', status: 'active', members: 2, places: 4 }],
    money: { withdrawals: { all: 1, waiting: 1 }, disputes: { all: 0, open: 0 }, places: [] },
    problems: [{ otherId: mia.id, otherName: 'Mia', isOwner: true, reason: 'password', turn: 'owner' }],
    cases: [{ kind: 'person', isAbout: true, otherId: mia.id, otherName: 'Mia', body: 'Rude', answer: null }],
    decisions: [],
    log: [{ actorName: 'Ada', action: 'wallet adjusted', reason: 'Admin adjustment: A gift' }],
    needsProof: false,
  })
  const kinds = Object.fromEntries((owner.money?.moved ?? []).map(({ kind, amount }) => [kind, amount]))
  expect(kinds).toMatchObject({ adjustment: 30, earning: expect.any(Number) })
  expect(owner.money?.balance).toBeCloseTo(30 + Number(kinds.earning))
  const member = await pageOf(sofia, mia)
  expect(member).toMatchObject({
    plans: [],
    money: {
      balance: 0,
      places: [{ planName: 'Netflix Premium', ownerName: 'Olivia', status: 'paid', number: 1 }],
    },
    problems: [{ otherName: 'Olivia', isOwner: false }],
    cases: [{ isAbout: false, otherName: 'Olivia' }],
  })
  const said = JSON.stringify([owner, member])
  for (const secret of ['Whole', '+4917', 'DE', 'visa', '"4242"']) expect(said).not.toContain(secret)
})

test('each part opens with its own permission alone', async () => {
  const opened: Record<string, string[]> = {}
  for (const name of await columnOf(sql`select name from system_permissions order by id`)) {
    await sql`insert into system_roles (name, permissions) values (${`only ${name}`}, array[${name}])`
    const page = await pageOf(await addStaff(db, 'Tom', `only ${name}`), olivia)
    expect(page).toMatchObject({ name: 'Olivia', needsProof: false })
    opened[name] = [...PARTS.filter((part) => page[part] !== null), ...(page.email === null ? [] : ['email'])]
  }
  expect(opened).toEqual({
    ...{ 'users.view': [], 'users.edit': ['money', 'problems', 'email'], 'users.delete': [] },
    ...{
      'subscriptions.view': ['plans'],
      'subscriptions.approve': ['cases', 'decisions'],
      'subscriptions.delete': [],
    },
    ...{ 'roles.manage': ['log'], 'settings.edit': [] },
  })
})

test('roles and suspensions are for those who see who has an account', async () => {
  const tom = await addStaff(db, 'Tom', 'moderator')
  await sql`insert into system_roles (name, permissions) values ('judge', '{subscriptions.approve}')`
  const judge = await addStaff(db, 'Jo', 'judge')
  const lea = await addStaff(db, 'Lea', 'moderator')
  await sql`update auth.users set banned_until = now() + interval '1 day' where id = ${lea.id}`
  const suspended = { role: 'moderator', suspendedUntil: expect.any(String), email: null }
  expect(await pageOf(tom, lea)).toMatchObject(suspended)
  expect(await pageOf(judge, lea)).toMatchObject({ role: null, suspendedUntil: null, email: null })
  const log = [{ action: 'account banned' }, { action: 'role given' }]
  expect(await pageOf(sofia, lea)).toMatchObject({ log })
  await sql`update auth.users set banned_until = now() - interval '1 day' where id = ${lea.id}`
  expect(await pageOf(tom, lea)).toMatchObject({ suspendedUntil: null })
})

test('cases go on to show once they are closed, and never to whom they are about or by', async () => {
  const mona = await addStaff(db, 'Mona', 'moderator')
  const zoe = await addPerson(db, 'Zoe')
  await report(zoe, 'person', mona.id, 'Late')
  await report(mona, 'person', zoe.id, 'Loud')
  for (const person of [mona, zoe]) expect((await pageOf(mona, person)).cases).toEqual([])
  await ada.sql`select close_case(id, 'none', 'Talked to both') from list_cases() where person_id = ${mona.id}`
  expect((await pageOf(ada, mona)).cases).toMatchObject([
    { isAbout: false, otherName: 'Zoe', body: 'Loud', closedAt: null },
    { isAbout: true, otherName: 'Zoe', answer: 'Talked to both', closedAt: expect.any(String) },
  ])
  const log = [{ action: 'case closed' }]
  expect(await pageOf(sofia, zoe)).toMatchObject({ log })
})

test('an account that has ended is still who it was in the books, and no id is nobody', async () => {
  const gone = await addPerson(db, 'Gone')
  await join(db, gone, plan)
  await gone.sql`select delete_own_account()`
  const ended = { name: 'Deleted account', email: null, endedAt: expect.any(String) }
  expect(await pageOf(sofia, gone)).toMatchObject(ended)
  for (const nobody of ['00000000-0000-4000-8000-000000000000', null])
    expect(await read(sofia, nobody)).toBe(null)
})

test('it is for staff alone, and money, problems and the log for those who show a second factor', async () => {
  const refused = denied('Only staff sees what there is about a person')
  for (const person of [mia, olivia]) await expectRefusal(read(person, olivia.id), refused)
  const admin = await addStaff(strict.db, 'Ada', 'super-admin')
  const { olivia: other } = await setTheTable(strict.db)
  const hurried = (await read(signedInWith(strict.db, admin, ['password']), other.id)) as Page
  expect(PARTS.filter((part) => hurried[part] !== null)).toEqual(['plans', 'cases', 'decisions'])
  expect(hurried.needsProof).toBe(true)
  expect(await read(admin, other.id)).toMatchObject({ needsProof: false, money: { balance: 0 } })
})

test('the lists it leads to narrow to one person, and to one state', async () => {
  const ids = (call: string, ...values: string[]) => columnOf(sofia.run(`select id from ${call}`, values))
  await sharePlan(db, mia)
  const withdrawal = await single(sql`select id from withdrawal_requests where user_id = ${olivia.id}`)
  for (const [call, person, found] of [
    ['list_withdrawals(p_person => $1)', olivia, [withdrawal]],
    [`list_withdrawals(p_person => $1, p_status => 'pending')`, olivia, [withdrawal]],
    [`list_withdrawals(p_person => $1, p_status => 'completed')`, olivia, []],
    ['list_withdrawals(p_person => $1)', mia, []],
    ['list_plans_for_review(p_owner => $1)', olivia, [plan.id]],
    [`list_plans_for_review('pending', p_owner => $1)`, olivia, []],
    ['list_cases(p_person => $1)', mia, [expect.any(String)]],
    ['list_cases(true, $1)', mia, []],
  ] as const)
    expect([call, await ids(call, person.id)]).toEqual([call, found])
  expect(await ids(`list_withdrawals(p_status => 'completed')`)).toEqual([])
  expect(await sofia.sql`select body, answer from list_cases(true)`).toEqual([
    { body: 'Late', answer: 'Talked to both' },
  ])
  expect(await ids(`list_users('', p_role => 'admin')`)).toEqual([ada.id])
  const withoutRole = await ids(`list_users('', p_role => 'none')`)
  expect([withoutRole.includes(mia.id), withoutRole.includes(ada.id)]).toEqual([true, false])
  const about = (person: Person) =>
    columnOf(sofia.sql`select actor_name || ': ' || action from list_staff_log(p_person => ${person.id})`)
  expect(await about(olivia)).toEqual(['Ada: wallet adjusted'])
  // The log line is about the plan, and names its owner as well.
  await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
  await ada.sql`select review_plan(${plan.id}, 'approve')`
  expect(await about(olivia)).toEqual(['Ada: plan approved', 'Ada: wallet adjusted'])
  expect(await about(mia)).toEqual([])
})

test('an admin confirms an address by hand once, with a reason in the log, and its person signs in', async () => {
  const lena = await addPerson(db, 'Lena')
  await sql`update auth.users set email_confirmed_at = null, last_sign_in_at = null where id = ${lena.id}`
  const shown = async () => {
    const { isConfirmed, lastSignInAt } = await pageOf(ada, lena)
    return [isConfirmed, lastSignInAt]
  }
  expect(await shown()).toEqual([false, null])
  const confirm = (by: Person, reason: string) => by.sql`select confirm_address(${lena.id}, ${reason})`
  await expectRefusal(confirm(olivia, 'Mine'), denied('Only admins can do this'))
  await expectRefusal(confirm(ada, ' '), rule('Please write a sentence'))
  expect(await shown()).toEqual([false, null])
  await confirm(ada, 'She wrote to us from it')
  expect(await shown()).toEqual([true, null])
  expect(await waitingMails(db, lena.email)).toMatchObject([{ event: 'address-confirmed' }])
  await expectRefusal(confirm(ada, 'Again'), notFound('This address doesn’t wait for a confirmation'))
  expect((await pageOf(sofia, lena)).log).toMatchObject([
    { actorName: 'Ada', action: 'address confirmed', reason: 'She wrote to us from it' },
  ])
  await sql`update auth.users set last_sign_in_at = '2026-01-02' where id = ${lena.id}`
  expect(await shown()).toEqual([true, expect.stringMatching(/^2026-01-02/)])
})
