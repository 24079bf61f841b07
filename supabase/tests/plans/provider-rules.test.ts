// With whom plans may be shared: the rule of the settings for what a provider's terms allow, and the rule of the operator for one provider.
//
// | who                              | rule becomes private                    | off                          | listed again            |
// |----------------------------------|-----------------------------------------|------------------------------|-------------------------|
// | owner of a listed plan           | private, told the reasons by mail       | told, gets nobody new        | lists it again if wanted|
// | owner of a private plan          | nothing changes                         | gets nobody new              | nothing changes         |
// | owner who lists it again         | refused                                 | refused                      | allowed                 |
// | owner who shares a new plan      | private only                            | refused                      | as they want            |
// | member                           | keeps the place                         | keeps the place              | keeps the place         |
// | who has asked, or waits in line  | ends, told                              | may still be let in          | may ask again           |
// | stranger without the link        | finds nothing                           | refused                      | as everybody            |
// | somebody with the link           | may ask                                 | refused                      | may ask                 |
import { expect, test } from 'vitest'
import { expectRefusal, rule, single } from '../answers.ts'
import { addPerson, addStaff, notFound, ownDatabase } from '../people.ts'
import { approve, ask, found, join, setTheTable, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()
const { olivia, marc, zoe, plan } = await setTheTable(db)
const ada = await addStaff(db, 'Ada', 'admin')
const sofia = await addStaff(db, 'Sofia', 'super-admin')
const rules = (as = zoe) =>
  as.sql`select provider, rule, reason, allows from restricted_providers() order by 1`
const told = (who: typeof zoe) =>
  who.sql`select event, params from user_notifications where event in ('decision', 'plan-not-listed') order by created_at`
const list = (plan: { id: string; owner: typeof zoe }) =>
  plan.owner.sql`update shared_subscriptions set is_private = false where id = ${plan.id}`
const NOT_LISTED = rule('Plans of Netflix can only be private here')

test('a provider that is off is offered for nothing new, and places in its plans live on', async () => {
  const nina = await addPerson(db, 'Nina')
  const asked = await ask(db, nina, plan)
  await ada.sql`insert into provider_rules (provider, rule, reason, ground, clause) values ('Netflix', 'off', 'Its terms', 'provider', '4.2')`
  expect(await told(olivia)).toMatchObject([
    { event: 'decision', params: { measure: 'provider-closed', plan: 'Netflix Premium' } },
  ])
  const closed = rule('Netflix is not available right now')
  await expectRefusal(ask(db, zoe, plan), closed)
  await expectRefusal(sharePlan(db, zoe), closed)
  await expectRefusal(olivia.sql`select invite_member(${plan.id}, 'new@potluck.example')`, closed)
  const offered = () => zoe.sql`select provider from count_available_plans()`
  expect(await offered()).toEqual([])
  expect((await found(zoe, 'p_full => true')).size).toBe(0)
  await approve(db, plan, asked)
  expect(await marc.sql`select subscription_id from my_seats() where ended_at is null`).toHaveLength(1)
  await ada.sql`delete from provider_rules`
  expect(await offered()).toEqual([{ provider: 'Netflix' }])
})

test('a provider that is private only leaves the list with the ground, and nothing is listed again by itself', async () => {
  const omar = await addPerson(db, 'Omar')
  const full = await sharePlan(db, omar, { places: 2 })
  await join(db, await addPerson(db, 'Nora'), full)
  const waits = await addPerson(db, 'Wim')
  await waits.sql`select join_waiting_list(${full.id})`
  const asked = await ask(db, zoe, plan)
  const hidden = await sharePlan(db, await addPerson(db, 'Hana'))
  await hidden.owner.sql`update shared_subscriptions set is_private = true where id = ${hidden.id}`

  await ada.sql`insert into provider_rules (provider, rule, reason, ground, clause) values ('Netflix', 'private', 'A letter of 3 November.', 'provider', '4.2')`
  expect(await rules()).toEqual([
    { provider: 'Netflix', rule: 'private', reason: 'A letter of 3 November.', allows: null },
  ])
  expect((await found(zoe, 'p_full => true')).size).toBe(0)
  for (const owner of [olivia, omar])
    expect((await told(owner)).at(-1)).toMatchObject({
      event: 'decision',
      params: {
        measure: 'plan-made-private',
        ground: 'provider',
        clause: '4.2',
        facts: 'A letter of 3 November.',
      },
    })
  expect(await told(hidden.owner)).toEqual([])
  for (const stranger of [zoe, waits])
    expect(await told(stranger)).toMatchObject([{ event: 'plan-not-listed' }])
  expect(await single(zoe.sql`select status from subscription_requests where id = ${asked}`)).toBe('rejected')
  expect(await sql`select from waiting_list`).toEqual([])
  expect(await marc.sql`select subscription_id from my_seats() where ended_at is null`).toHaveLength(1)
  // The staff member who sets the rule spends no attempts of an owner.
  expect(
    await sql`select from private.rate_limit_usage where user_id = ${ada.id} and action = 'owner action'`,
  ).toEqual([])

  await expectRefusal(list(plan), NOT_LISTED)
  const nils = await addPerson(db, 'Nils')
  await expectRefusal(sharePlan(db, nils), NOT_LISTED)
  await nils.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, is_private)
    values ('netflix-premium', 4, current_date + 30, true)`
  await expectRefusal(ask(db, waits, plan), notFound('Subscription not found'))

  await ada.sql`update provider_rules set rule = 'listed', reason = 'They agreed.'`
  expect((await found(zoe, 'p_full => true')).size).toBe(0)
  await list(plan)
  expect((await found(zoe, 'p_full => true')).size).toBe(1)
  await ada.sql`delete from provider_rules`
})

test('the settings decide by what the terms allow; a rule for one provider comes first', async () => {
  const nina = await addPerson(db, 'Nia')
  const sold = (allows: string) =>
    sql`select one ->> 'name' as provider from jsonb_array_elements(private.catalogue()) as one
      where coalesce(one -> 'sharing' ->> 'with', 'unknown') = ${allows} order by 1`
  expect(await rules()).toEqual([])
  await sofia.sql`update app_settings set rule_household = 'private', rule_unknown = 'off'`
  const named = async (allows: string) => (await sold(allows)).map(({ provider }) => provider)
  const [household, unknown] = [await named('household'), await named('unknown')]
  expect(household).toContain('Netflix')
  expect(unknown.length).toBeGreaterThan(0)
  expect((await rules()).filter((one) => one.rule === 'private').map((one) => one.provider)).toEqual(
    household,
  )
  expect((await rules()).filter((one) => one.rule === 'off').map((one) => one.provider)).toEqual(unknown)
  await expectRefusal(sharePlan(db, nina), NOT_LISTED)
  expect((await told(olivia)).at(-1)).toMatchObject({
    params: { measure: 'plan-made-private', ground: 'terms', clause: '2', block: 'household', facts: '' },
  })

  await ada.sql`insert into provider_rules (provider, rule, reason, ground, clause) values ('Netflix', 'listed', 'They agreed.', 'provider', '4.2')`
  await sharePlan(db, nina)
  await ada.sql`delete from provider_rules`
  expect(
    await single(nina.sql`select is_private from shared_subscriptions where owner_id = auth.uid()`),
  ).toBe(true)

  // The catalogue may come to say more, as after an update.
  await sofia.sql`update app_settings set rule_household = 'listed', rule_unknown = 'listed', rule_anyone = 'private'`
  await list({
    id: await single(nina.sql`select id from shared_subscriptions where owner_id = auth.uid()`),
    owner: nina,
  })
  await sql`update service_provider_data set data = (
    select jsonb_agg(case when one ->> 'name' = 'Netflix' then jsonb_set(one, '{sharing,with}', '"anyone"') else one end)
    from jsonb_array_elements(data) as one) where is_current`
  expect(
    await single(nina.sql`select is_private from shared_subscriptions where owner_id = auth.uid()`),
  ).toBe(true)
})

test('only whoever takes plans down sets a rule', async () => {
  const insert = (who: typeof zoe) =>
    who.sql`insert into provider_rules (provider, rule, reason, ground, clause) values ('Spotify', 'private', 'Terms', 'provider', '4.2')`
  await expectRefusal(insert(zoe), { code: '42501' })
  await expectRefusal(insert(await addStaff(db, 'Mona', 'moderator')), { code: '42501' })
})
