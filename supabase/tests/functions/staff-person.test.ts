// The page that staff has of a person: each part opens with the permission that opens its own list, and with no other.
import { beforeAll, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { addPerson, addStaff, denied, ownDatabase, type Person, refusalOf, signedInWith } from '../people.ts'
import { join, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'

const { db, sql, VISITOR } = await ownDatabase({ sheltered: true })
const strict = await ownDatabase()

type Page = Record<'plans' | 'problems' | 'reports' | 'log', Record<string, unknown>[] | null> & {
  [field: string]: unknown
  money: null | (Record<'moved' | 'places', Record<string, unknown>[]> & Record<string, unknown>)
}
const PARTS = ['plans', 'money', 'problems', 'reports', 'log'] as const
const read = async (reader: Pick<Person, 'sql'>, id: string | null) =>
  (await reader.sql<{ page: Page | null }>`select get_staff_person(${id}) as page`)[0]?.page
const pageOf = async (reader: Person, person: Person): Promise<Page> => {
  const page = await read(reader, person.id)
  if (!page) throw new Error('There is nobody')
  return page
}

let sofia: Person
let ada: Person
let olivia: Person
let mia: Person
let plan: SharedPlan
beforeAll(async () => {
  sofia = await addStaff(db, 'Sofia', 'super-admin')
  ada = await addStaff(db, 'Ada', 'admin')
  const till = await openTill(db)
  olivia = await addPerson(db, 'Olivia')
  plan = await till.share(olivia)
  mia = await till.payer('Mia')
  await till.enter(mia, plan)
  await till.work()
  await till.pass('8 days')
  const [seat] = await sql<{ id: string }>`select id from private.seats where member_id = ${mia.id}`
  await mia.sql`select report_problem(${seat?.id}, 'password')`
  await mia.sql`select report_person(${olivia.id}, 'Rude')`
  await addBankAccount(db, olivia)
  await ada.sql`select adjust_wallet(${olivia.id}, 30, 'A gift')`
  await olivia.sql`insert into withdrawal_requests (user_id, amount) values (${olivia.id}, 20)`
  await sql`update user_profiles set full_name = 'Olivia Whole', phone_number = '+491701234567' where user_id = ${olivia.id}`
})

test('a super-admin reads all of it, from both sides of a place', async () => {
  const owner = await pageOf(sofia, olivia)
  expect(owner).toMatchObject({
    ...{
      id: olivia.id,
      name: 'Olivia',
      email: olivia.email,
      role: null,
      suspendedUntil: null,
      endedAt: null,
    },
    plans: [{ id: plan.id, name: 'Netflix Premium', status: 'active', members: 2, places: 4 }],
    money: { withdrawals: { all: 1, waiting: 1 }, disputes: { all: 0, open: 0 }, places: [] },
    problems: [{ otherId: mia.id, otherName: 'Mia', isOwner: true, reason: 'password', turn: 'owner' }],
    reports: [{ isAbout: true, otherId: mia.id, otherName: 'Mia', reason: 'Rude', finding: null }],
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
    reports: [{ isAbout: false, otherName: 'Olivia' }],
  })
  const said = JSON.stringify([owner, member])
  for (const secret of ['Whole', '+4917', 'DE', 'visa', '4242']) expect(said).not.toContain(secret)
})

test('each part opens with its own permission alone', async () => {
  const opened: Record<string, string[]> = {}
  const permissions = await sql<{ name: string }>`select name from system_permissions order by id`
  for (const { name } of permissions) {
    await sql`insert into system_roles (name, permissions) values (${`only ${name}`}, array[${name}])`
    const page = await pageOf(await addStaff(db, 'Tom', `only ${name}`), olivia)
    expect(page).toMatchObject({ name: 'Olivia', needsProof: false })
    opened[name] = [...PARTS.filter((part) => page[part] !== null), ...(page.email === null ? [] : ['email'])]
  }
  expect(opened).toEqual({
    ...{ 'users.view': [], 'users.edit': ['money', 'problems', 'email'], 'users.delete': [] },
    ...{ 'subscriptions.view': ['plans'], 'subscriptions.approve': ['reports'], 'subscriptions.delete': [] },
    ...{ 'roles.manage': ['log'], 'settings.edit': [] },
  })
})

test('roles and suspensions are for those who see who has an account', async () => {
  const tom = await addStaff(db, 'Tom', 'moderator')
  await sql`insert into system_roles (name, permissions) values ('judge', '{subscriptions.approve}')`
  const judge = await addStaff(db, 'Jo', 'judge')
  const lea = await addStaff(db, 'Lea', 'moderator')
  await sql`update auth.users set banned_until = now() + interval '1 day' where id = ${lea.id}`
  expect(await pageOf(tom, lea)).toMatchObject({
    role: 'moderator',
    suspendedUntil: expect.any(String),
    email: null,
  })
  expect(await pageOf(judge, lea)).toMatchObject({ role: null, suspendedUntil: null, email: null })
  expect((await pageOf(sofia, lea)).log).toMatchObject([
    { action: 'account banned' },
    { action: 'role given' },
  ])
  await sql`update auth.users set banned_until = now() - interval '1 day' where id = ${lea.id}`
  expect(await pageOf(tom, lea)).toMatchObject({ suspendedUntil: null })
})

test('reports go on to show once they are decided, and never to whom they are about or by', async () => {
  const mona = await addStaff(db, 'Mona', 'moderator')
  const zoe = await addPerson(db, 'Zoe')
  await zoe.sql`select report_person(${mona.id}, 'Late')`
  await mona.sql`select report_person(${zoe.id}, 'Loud')`
  for (const person of [mona, zoe]) expect((await pageOf(mona, person)).reports).toEqual([])
  const [open] = await ada.sql<{
    id: string
  }>`select id from list_person_reports() where person_id = ${mona.id}`
  await ada.sql`select close_person_report(${open?.id}, 'Talked to both')`
  expect((await pageOf(ada, mona)).reports).toMatchObject([
    { isAbout: false, otherName: 'Zoe', reason: 'Loud', decidedAt: null },
    { isAbout: true, otherName: 'Zoe', finding: 'Talked to both', decidedAt: expect.any(String) },
  ])
  expect((await pageOf(sofia, zoe)).log).toMatchObject([
    { action: 'report closed', reason: 'Talked to both' },
  ])
})

test('an account that has ended is still who it was in the books, and no id is nobody', async () => {
  const gone = await addPerson(db, 'Gone')
  await join(db, gone, plan)
  await gone.sql`select delete_own_account()`
  const page = await pageOf(sofia, gone)
  expect(page).toMatchObject({ name: 'Deleted account', email: null, endedAt: expect.any(String) })
  expect(await read(sofia, '00000000-0000-4000-8000-000000000000')).toBe(null)
  expect(await read(sofia, null)).toBe(null)
})

test('it is for staff alone, and money, problems and the log for those who show a second factor', async () => {
  const refused = denied('Only staff sees what there is about a person')
  expect(await refusalOf(read(mia, olivia.id))).toEqual(refused)
  expect(await refusalOf(read(olivia, olivia.id))).toEqual(refused)
  expect(await refusalOf(read(VISITOR, olivia.id))).toMatchObject({ code: '42501' })
  const admin = await addStaff(strict.db, 'Ada', 'super-admin')
  const { olivia: other } = await setTheTable(strict.db)
  const hurried = (await read(signedInWith(strict.db, admin, ['password']), other.id)) as Page
  expect(PARTS.filter((part) => hurried[part] !== null)).toEqual(['plans', 'reports'])
  expect(hurried.needsProof).toBe(true)
  expect(await read(admin, other.id)).toMatchObject({ needsProof: false, money: { balance: 0 } })
})

test('the lists it leads to narrow to one person, and to one state', async () => {
  const ids = async (call: string, ...values: string[]) =>
    (await sofia.run<{ id: string }>(`select id from ${call}`, values)).map(({ id }) => id)
  const [withdrawal] = await sql<{
    id: string
  }>`select id from withdrawal_requests where user_id = ${olivia.id}`
  expect(await ids('list_withdrawals(p_person => $1)', olivia.id)).toEqual([withdrawal?.id])
  expect(await ids(`list_withdrawals(p_person => $1, p_status => 'pending')`, olivia.id)).toHaveLength(1)
  expect(await ids(`list_withdrawals(p_status => 'completed')`)).toEqual([])
  expect(await ids('list_withdrawals(p_person => $1)', mia.id)).toEqual([])
  await sharePlan(db, mia)
  expect(await ids('list_plans_for_review(p_owner => $1)', olivia.id)).toEqual([plan.id])
  expect(await ids(`list_plans_for_review('pending', p_owner => $1)`, olivia.id)).toEqual([])
  expect(await ids('list_person_reports(p_person => $1)', mia.id)).toHaveLength(1)
  expect(await ids('list_person_reports(true, $1)', mia.id)).toEqual([])
  expect(
    await sofia.sql`select reason, finding from list_person_reports(true) where decided_at is not null`,
  ).toEqual([{ reason: 'Late', finding: 'Talked to both' }])
  expect(await ids(`list_users('', p_role => 'admin')`)).toEqual([ada.id])
  const unpaid = await ids(`list_users('', p_role => 'none')`)
  expect([unpaid.includes(mia.id), unpaid.includes(ada.id)]).toEqual([true, false])
  const about = (person: Person) =>
    sofia.sql`select action, actor_name from list_staff_log(p_person => ${person.id})`
  expect(await about(olivia)).toEqual([{ action: 'wallet adjusted', actor_name: 'Ada' }])
  // A plan is not its owner, and its owner is named beside it.
  await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
  await ada.sql`select review_plan(${plan.id}, 'approve')`
  expect((await about(olivia)).map(({ action }) => action)).toEqual(['plan approved', 'wallet adjusted'])
  expect(await about(mia)).toEqual([])
})
