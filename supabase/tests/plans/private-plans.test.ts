// A private plan: who can find it, and for how long.
// Proves QUEUE 06
import { describe, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { invitationsIn } from '../invitations.ts'
import {
  type Asker,
  addPeople,
  addPerson,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'
import { ask, found, join, type SharedPlan, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const { invited, withdraw } = invitationsIn(db)

const hide = ({ id, owner }: SharedPlan, hidden = true) =>
  owner.sql`update shared_subscriptions set is_private = ${hidden} where id = ${id}`
const linkOf = async ({ id, owner }: SharedPlan) =>
  (await owner.sql<{ link: string }>`select get_plan_link(${id}) as link`)[0]?.link ?? ''
const replace = async ({ id, owner }: SharedPlan) =>
  (await owner.sql<{ link: string }>`select replace_plan_link(${id}) as link`)[0]?.link ?? ''
const follow = (person: Person, link: string) => person.sql`select open_plan_link(${link})`
const seen = (plan: SharedPlan, ...people: Person[]) =>
  Promise.all(people.map((person) => sees(person, plan)))
const sees = async (person: Person, { id }: SharedPlan) =>
  (await person.sql`select 1 from shared_subscriptions where id = ${id}`).length === 1
const browsed = async (person: Person, { id }: SharedPlan) => ({
  found: (await found(person, "'netflix', p_full => true")).has(id),
  counted: (await person.sql`select coalesce(sum(plans), 0)::int as n from count_available_plans()`)[0]?.n,
})

async function aPrivatePlan() {
  const [olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
  const plan = await sharePlan(db, olivia)
  await hide(plan)
  return { olivia, zoe, plan }
}
/** The link as a person may type it after hearing it: capitals, and letters in place of digits. */
const typed = (link: string) => ` ${link.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'l')} `
const leadsTo = (code: string, ...people: Asker[]) =>
  Promise.all(people.map((person) => single(person.sql`select plan_of_code(${code})`)))
const GONE = notFound('Subscription not found')

describe('a private plan', () => {
  test('is not there for who has not followed its link, in no list, count or function', async () => {
    const { olivia, zoe, plan } = await aPrivatePlan()
    expect(await sees(zoe, plan)).toBe(false)
    expect(await browsed(zoe, plan)).toEqual({ found: false, counted: 0 })
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(GONE)
    for (const call of ['join_waiting_list', 'quote_plan', 'get_plan_link'])
      expect(await refusalOf(zoe.run(`select ${call}($1)`, [plan.id]))).toEqual(GONE)
    // The marketplace never shows the plan, not even to its owner; staff review it like any other.
    expect(await sees(olivia, plan)).toBe(true)
    expect(await browsed(olivia, plan)).toEqual({ found: false, counted: 0 })
    await hide(plan, false)
    expect(await browsed(zoe, plan)).toEqual({ found: true, counted: 1 })
    await hide(plan)
    expect(await browsed(zoe, plan)).toEqual({ found: false, counted: 0 })
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  })

  test('is found by its link, which leads to asking for a place', async () => {
    const { zoe, plan } = await aPrivatePlan()
    const link = await linkOf(plan)
    expect(link).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/)
    expect(await follow(zoe, typed(link))).toEqual([{ open_plan_link: plan.id }])
    expect(await sees(zoe, plan)).toBe(true)
    expect(await browsed(zoe, plan)).toEqual({ found: false, counted: 0 })
    await zoe.sql`select quote_plan(${plan.id})`
    await join(db, zoe, plan)
    await replace(plan)
    expect(await sees(zoe, plan)).toBe(true)
  })

  test('has a link that can be replaced, which ends the old one at once, but for who asks or waits already', async () => {
    const { zoe, plan } = await aPrivatePlan()
    const [rita, walt, yara] = await addPeople(db, ['Rita', 'Walt', 'Yara'])
    const old = await linkOf(plan)
    for (const person of [zoe, rita, walt]) await follow(person, old)
    await ask(db, rita, plan)
    await sql`insert into waiting_list (subscription_id, user_id) values (${plan.id}, ${walt.id})`
    const next = await replace(plan)
    expect(next).not.toBe(old)
    expect(await linkOf(plan)).toBe(next)
    expect(await refusalOf(follow(yara, old))).toEqual(notFound('This link doesn’t work'))
    expect(await seen(plan, zoe, rita, walt)).toEqual([false, true, true])
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(GONE)
    await follow(zoe, next)
    await ask(db, zoe, plan)
  })

  test('is there for an invited person while the invitation is open', async () => {
    const { olivia, zoe, plan } = await aPrivatePlan()
    const { id } = await invited(plan, zoe)
    expect(await sees(zoe, plan)).toBe(true)
    await withdraw(olivia, id)
    expect(await sees(zoe, plan)).toBe(false)
  })

  test('keeps its members and those who ask when it becomes private, and loses its link when it is no longer', async () => {
    const [olivia, marc, rita, zoe] = await addPeople(db, ['Olivia', 'Marc', 'Rita', 'Zoe'])
    const plan = await sharePlan(db, olivia)
    await join(db, marc, plan)
    await ask(db, rita, plan)
    const short = await linkOf(plan)
    expect(await refusalOf(replace(plan))).toEqual(rule('This plan is not private'))
    await hide(plan)
    expect(await seen(plan, marc, rita, zoe)).toEqual([true, true, false])
    const link = await linkOf(plan)
    expect(await leadsTo(short, olivia, VISITOR)).toEqual([null, null])
    await hide(plan, false)
    expect(await leadsTo(typed(short), VISITOR)).toEqual([plan.id])
    expect(await refusalOf(follow(zoe, link))).toEqual(notFound('This link doesn’t work'))
    const { id } = await sharePlan(db, zoe)
    expect(await refusalOf(zoe.sql`select get_plan_link(${plan.id})`)).toEqual(GONE)
    await zoe.sql`delete from shared_subscriptions where id = ${id}`
  })

  test('can be private from the start', async () => {
    const nina = await addPerson(db, 'Nina')
    const [row] = await nina.sql<{ id: string }>`insert into shared_subscriptions
      (catalogue_plan_id, next_payment, is_private) values ('netflix-premium', current_date + 30, true) returning id`
    expect(await linkOf({ id: row?.id ?? '', owner: nina })).toHaveLength(16)
  })
})
