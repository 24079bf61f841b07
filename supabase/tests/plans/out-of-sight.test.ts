// When one person has blocked another, neither sees the other or the other's plans: each query answers as if the other
// did not exist. The same applies to everybody while a person is suspended.
// Proves REP 06
import { beforeAll, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { type Asker, addPeople, ownDatabase, type Person } from '../people.ts'
import { join, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()
const { invited } = invitationsIn(db)

/** The ids the queries are about. */
interface Shown {
  person: string
  plan: string
  /** A second plan of the same person, which can be found only by its link. */
  hidden: string
  link: string
  code: string
  /** A third person, whom this person has reviewed. */
  reviewed: string
}

/** All queries that show people or plans, by function or table. */
const WAYS: Record<string, (to: Shown) => string> = {
  shared_subscriptions: ({ plan, hidden }) =>
    `select id from shared_subscriptions where id in ('${plan}', '${hidden}')`,
  'shared_subscriptions, all': () => 'select id from shared_subscriptions order by id',
  subscription_requests: ({ plan }) =>
    `insert into subscription_requests (subscription_id) values ('${plan}')`,
  count_available_plans: () => 'select * from count_available_plans() order by 1, 2',
  market_plans: () => 'select market_plans(p_full => true)',
  'market_plans, cheapest': () =>
    `select market_plans(p_search => 'netflix', p_cheapest => true, p_level => 'new')`,
  market_plan: ({ plan }) => `select market_plan('${plan}')`,
  page_head: ({ plan, person }) => `select page_head('/plans/${plan}'), page_head('/people/${person}')`,
  plan_of_code: ({ code }) => `select plan_of_code('${code}')`,
  site_paths: () => 'select * from site_paths()',
  get_person: ({ person }) => `select get_person('${person}')`,
  reviews_of: ({ person }) => `select * from reviews_of('${person}')`,
  'reviews_of, by them': ({ reviewed }) => `select * from reviews_of('${reviewed}')`,
  'get_person, reviewed by them': ({ reviewed }) => `select get_person('${reviewed}')`,
  user_profiles: ({ person }) => `select display_name from user_profiles where user_id = '${person}'`,
  standing_of: ({ person }) => `select * from standing_of(array['${person}']::uuid[])`,
  'standing_of, reviewed by them': ({ reviewed }) =>
    `select * from standing_of(array['${reviewed}']::uuid[])`,
  quote_plan: ({ plan }) => `select quote_plan('${plan}')`,
  check_instant: ({ plan }) => `select check_instant('${plan}')`,
  ask_question: ({ plan }) => `select ask_question('${plan}', 'Is it in 4K?') is not null`,
  join_waiting_list: ({ plan }) => `select join_waiting_list('${plan}')`,
  report: ({ plan }) => `select report('plan', '${plan}', 'fraud', 'Rude')`,
  open_plan_link: ({ link }) => `select open_plan_link('${link}')`,
}
const NOWHERE = {
  person: crypto.randomUUID(),
  plan: 'sub-nowhere',
  hidden: 'sub-nobody',
  link: 'guessed',
  code: 'notacode',
}

let bea: Person
let zoe: Person
let lena: Person
let nina: Person
let rosa: Person
let shown: Shown
let token = ''
const before = new Map<Person, Record<string, unknown>>()

/** Returns the result of each query for a person, or the refusal. */
async function answers(asker: Asker, to: Shown) {
  const all: Record<string, unknown> = {}
  for (const [way, statement] of Object.entries(WAYS))
    all[way] = await asker
      .run(statement(to))
      .catch(({ code, message }: { code: string; message: string }) => ({ code, message }))
  return all
}

beforeAll(async () => {
  const [omar, marc, ...others] = await addPeople(db, [
    'Omar',
    'Marc',
    'Bea',
    'Zoe',
    'Lena',
    'Nina',
    'Ivy',
    'Rosa',
  ])
  ;[bea, zoe, lena, nina] = others
  rosa = others[5]
  const elsewhere = await sharePlan(db, omar, { catalogueId: 'disney-plus-premium' })
  for (const person of [zoe, lena, nina]) await join(db, person, elsewhere)
  await join(db, rosa, await sharePlan(db, marc, { catalogueId: 'disney-plus-premium' }))
  for (const person of [zoe, lena, nina, rosa])
    before.set(person, await answers(person, { ...NOWHERE, reviewed: marc.id }))
  const plan = await sharePlan(db, bea)
  const hidden = await sharePlan(db, bea, { catalogueId: 'spotify-premium-family' })
  await bea.sql`update shared_subscriptions set is_private = true where id = ${hidden.id}`
  const [row] = await bea.sql<{ link: string }>`select get_plan_link(${hidden.id}) as link`
  const [open] = await bea.sql<{ code: string }>`select get_plan_link(${plan.id}) as code`
  const links = { link: row?.link ?? '', code: open?.code ?? '' }
  shown = { person: bea.id, plan: plan.id, hidden: hidden.id, ...links, reviewed: marc.id }
  for (const person of [zoe, lena, nina]) await person.sql`select open_plan_link(${shown.link})`
  await join(db, marc, plan)
  const [seat] = await marc.sql<{ id: string }>`select id from my_seats()`
  await bea.sql`delete from subscription_members where user_id = ${marc.id}`
  await sql`update member_payments set starts_at = starts_at - private.review_after(), claimed_at = now(), paid_at = now()
    where seat_id = ${seat?.id}`
  for (const side of [bea, marc]) await side.sql`select review_seat(${seat?.id}, 4, 'All well')`
  for (const person of [others[4], zoe]) token = (await invited(plan, person)).token
  await bea.sql`select block_person(${zoe.id})`
  await lena.sql`select block_person(${bea.id})`
})

test('nothing is different for whom they have blocked and who has blocked them, and everything for others', async () => {
  for (const person of [zoe, lena]) expect(await answers(person, shown)).toEqual(before.get(person))
  const others = await answers(nina, shown)
  for (const way of Object.keys(WAYS)) expect(others[way], way).not.toEqual(before.get(nina)?.[way])
})

test('who has a place with them keeps it and them in sight, until it ends; then their records go on naming them', async () => {
  const [lea, kim] = await addPeople(db, ['Lea', 'Kim'])
  for (const member of [lea, kim]) await join(db, member, { id: shown.plan, owner: bea })
  await bea.sql`select block_person(${lea.id})`
  await kim.sql`select block_person(${bea.id})`
  const standingIn = (asker: Person, { id }: Person) =>
    asker.sql`select user_id from standing_of(array[${id}]::uuid[])`
  const nameTo = (asker: Person, { id }: Person) =>
    asker.sql`select display_name as name from user_profiles where user_id = ${id}`
  for (const member of [lea, kim]) {
    const seen = async (way: string) => member.run(WAYS[way]?.(shown) ?? '')
    expect(await seen('shared_subscriptions')).toEqual([{ id: shown.plan }])
    expect(await seen('market_plan')).toEqual([{ market_plan: expect.objectContaining({ id: shown.plan }) }])
    expect(await seen('get_person')).toEqual([{ get_person: null }])
    for (const [asker, other] of [
      [member, bea],
      [bea, member],
    ] as const) {
      expect(await standingIn(asker, other)).toEqual([{ user_id: other.id }])
      expect(await nameTo(asker, other)).toEqual([{ name: other.name }])
    }
  }
  await bea.sql`delete from subscription_members where user_id in (${lea.id}, ${kim.id})`
  for (const member of [lea, kim]) {
    expect([await standingIn(member, bea), await standingIn(bea, member)]).toEqual([[], []])
    expect([await nameTo(member, bea), await nameTo(bea, member)]).toEqual([
      [{ name: 'Bea' }],
      [{ name: member.name }],
    ])
  }
})

test('a block list keeps the name of that time, and teaches nobody the name of who has blocked them', async () => {
  const listed = (person: Person) => person.sql`select blocked_id, name from blocked_people`
  await zoe.sql`select block_person(${bea.id})`
  await sql`update user_profiles set display_name = 'Beatrix' where user_id = ${bea.id}`
  expect(await listed(zoe)).toEqual([{ blocked_id: bea.id, name: null }])
  expect(await listed(lena)).toEqual([{ blocked_id: bea.id, name: 'Bea' }])
})

test('an invitation that the block has ended says no more of them than that it is over', async () => {
  expect(
    await zoe.sql`select status, name, provider, owner_name, subscription_id from get_invitation(${token})`,
  ).toEqual([{ status: 'withdrawn', name: null, provider: null, owner_name: null, subscription_id: null }])
})

test('nothing is different for anybody while they are suspended', async () => {
  const suspend = (until: string | null) =>
    sql`update auth.users set banned_until = now() + ${until}::interval where id = ${bea.id}`
  await suspend('10 years')
  expect(await answers(rosa, shown)).toEqual(before.get(rosa))
  await suspend(null)
  const after = await answers(rosa, shown)
  for (const way of Object.keys(WAYS)) expect(after[way], way).not.toEqual(before.get(rosa)?.[way])
})

test('the ways are all that there are: what visitors may ask, and what asks who may be shown', async () => {
  const found = await sql<{ name: string }>`
    select distinct p.proname as name from pg_proc as p left join pg_proc as body
      on body.proname = p.proname and body.pronamespace = 'private'::regnamespace
    where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
      and (has_function_privilege('anon', p.oid, 'execute') or concat(p.prosrc, body.prosrc) ~
        '(people_apart|may_find|may_meet|plan_counts|market_cards|market_plan|get_person|rating_of)\\(')
    order by 1`
  const asked = [...Object.keys(WAYS).map((way) => way.split(',')[0]), 'get_invitation', 'block_person']
  const ofNobody = [
    'answer_payment_claim',
    'appeal_decision',
    'fee_rate',
    'get_decision',
    'get_payment_claim',
    'my_place',
    'open_place_access',
    'place_answered_terms',
    'place_calendar',
    'place_export',
    'place_forgets',
    'place_leaves',
    'place_note',
    'place_reports',
    'place_said_paid',
    'public_books',
    'require_first_admin_address',
    'restricted_providers',
    'set_mail_preference_by_link',
    'sign_ups',
    'site_config',
    'undo_account_change',
  ]
  expect(found.map(({ name }) => name).filter((name) => !asked.includes(name))).toEqual(ofNobody)
})
