// How to get into a plan: who stores and opens it, who sees that it was opened, and what a new version or an ended seat brings
// about. The secret itself is sealed and opened in edge-functions/.
import { beforeEach, describe, expect, test } from 'vitest'
import { addPerson, denied, notFound, ownDatabase, type Person, refusalOf, signedInWith } from '../people.ts'
import { ask, join, type SharedPlan, setTheTable } from '../plans.ts'
import { openTill } from '../till.ts'
import { openEntry, storeEntry } from '../vault-entries.ts'

const { db, sql, VISITOR } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeEach(async () => {
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

const NOTHING = notFound('There is nothing for you to open')
const entryFor = async (person: Person) =>
  (
    await person.sql<{ entry: Awaited<ReturnType<typeof storeEntry>> | null }>`
    select get_vault_entry(${plan.id}) as entry`
  )[0]?.entry ?? null
const openingsFor = (person: Person) =>
  person.sql`select opener_name, version from list_vault_openings(${plan.id})`
const versionsFor = (person: Person) =>
  person.sql`select version, author_name from list_vault_versions(${plan.id})`
const leave = (person: Person, now: boolean) =>
  person.sql`select leave_seat(id, ${now}) from my_seats() where ended_at is null`
const has = async () =>
  (await sql<{ has: boolean }>`select private.has_vault_entry(${plan.id}) as has`)[0]?.has

describe('storing', () => {
  test('is for the owner alone, who has just shown that it is them', async () => {
    for (const person of [marc, zoe])
      expect(await refusalOf(storeEntry(db, { ...plan, owner: person }))).toEqual(
        denied("Only the plan's owner says how to get in"),
      )
    const old = { ...olivia, ...signedInWith(db, olivia, ['totp'], 601) }
    expect(await refusalOf(storeEntry(db, { ...plan, owner: old }))).toMatchObject({ code: 'PT403' })
    const direct = (person: Pick<Person, 'sql'>) =>
      person.sql`select save_vault_entry(${plan.id}, 1, 'v1.mine', null)`
    expect(await refusalOf(direct(old))).toMatchObject({ code: 'PT403' })
    expect(await refusalOf(direct(marc))).toMatchObject({ code: '42501' })
    expect(await refusalOf(direct(VISITOR as unknown as Person))).toMatchObject({ code: '42501' })
    expect(await has()).toBe(false)
  })

  test('makes a version with its time and author, one after the other', async () => {
    expect(await entryFor(olivia)).toBeNull()
    const first = await storeEntry(db, plan, 'v1.one')
    expect(first).toMatchObject({ version: 1, opened: false, change_due_since: null })
    await till.pass('1 hour')
    const second = await storeEntry(db, plan, 'v1.two')
    expect(second.version).toBe(2)
    expect(Date.parse(second.changed_at) - Date.parse(first.changed_at)).toBeGreaterThanOrEqual(3_600_000)
    expect(await versionsFor(marc)).toEqual([2, 1].map((version) => ({ version, author_name: 'Olivia' })))
    expect(await has()).toBe(true)
    for (const version of [1, 2, 4, null])
      expect(
        await refusalOf(olivia.sql`select save_vault_entry(${plan.id}, ${version}, 'v1.late', null)`),
      ).toMatchObject({ code: 'PT409' })
    expect(await openEntry(olivia, plan)).toEqual({ version: 2, sealed: 'v1.two' })
    expect(await openEntry(olivia, plan, 1)).toEqual({ version: 1, sealed: 'v1.one' })
  })

  test('tells everybody who has a seat, and each sees that it changed until they open it', async () => {
    await join(db, zoe, plan)
    const former = await addPerson(db, 'Felix')
    await join(db, former, plan)
    await leave(former, true)
    await storeEntry(db, plan)
    const told = await sql`select u.display_name as who, n.params ->> 'version' as version, n.message
      from user_notifications as n join user_profiles as u on u.user_id = n.user_id
      where n.event = 'access-changed' and n.subscription_id = ${plan.id} order by 1`
    const message = "What you need to get into Netflix Premium is stored on the plan's page."
    expect(told).toEqual(['Marc', 'Zoe'].map((who) => ({ who, version: '1', message })))
    expect(await entryFor(marc)).toMatchObject({ opened: false })
    await openEntry(marc, plan)
    expect([await entryFor(marc), await entryFor(zoe)]).toMatchObject([{ opened: true }, { opened: false }])
    await storeEntry(db, plan)
    expect(await entryFor(marc)).toMatchObject({ version: 2, opened: false })
  })
})

describe('opening', () => {
  test('is for the owner and those who have a living seat, and nobody else knows that there is anything', async () => {
    await storeEntry(db, plan, 'v1.one')
    await storeEntry(db, plan, 'v1.two')
    await ask(db, zoe, plan)
    expect(await openEntry(marc, plan)).toEqual({ version: 2, sealed: 'v1.two' })
    expect(await refusalOf(openEntry(marc, plan, 1))).toEqual(NOTHING)
    const admin = await addPerson(db, 'Sofia')
    await sql`insert into user_roles (user_id, role) values (${admin.id}, 'super-admin')`
    for (const person of [zoe, admin]) {
      for (const version of [null, 1, 2])
        expect(await refusalOf(openEntry(person, plan, version))).toEqual(NOTHING)
      expect([await entryFor(person), await versionsFor(person), await openingsFor(person)]).toEqual([
        null,
        [],
        [],
      ])
    }
    expect(await refusalOf(openEntry(olivia, { id: 'sub-0' }))).toEqual(NOTHING)
    expect(await refusalOf(openEntry(VISITOR, plan))).toMatchObject({ code: '42501' })
  })

  test('ends with the seat, whoever ends it and however fresh the token is; no version is left to them', async () => {
    await storeEntry(db, plan)
    const felix = await addPerson(db, 'Felix')
    await join(db, felix, plan)
    await openEntry(marc, plan)
    await openEntry(felix, plan)
    await leave(marc, true)
    await olivia.sql`delete from subscription_members where user_id = ${felix.id}`
    for (const person of [marc, felix]) {
      for (const version of [null, 1])
        expect(await refusalOf(openEntry(person, plan, version))).toEqual(NOTHING)
      expect([await entryFor(person), await versionsFor(person)]).toEqual([null, []])
    }
  })

  test('ends in the second the seat does, before anybody has looked for work', async () => {
    await storeEntry(db, plan)
    await leave(marc, false)
    await openEntry(marc, plan)
    await sql`update private.clock set ahead = ahead + (
      select ends_at - private.now() - interval '20 seconds' from private.seats where member_id = ${marc.id})`
    expect(await openEntry(marc, plan)).toMatchObject({ version: 1 })
    await sql`update private.clock set ahead = ahead + interval '20 seconds'`
    expect(await sql`select status from private.seats where member_id = ${marc.id}`).toEqual([
      { status: 'ending' },
    ])
    expect(await refusalOf(openEntry(marc, plan))).toEqual(NOTHING)
  })

  test('waits for the first payment where that goes through the site, and for one that is late', async () => {
    const owner = await till.payer('Olivia')
    const payer = await till.payer('Marc')
    const paid = await till.share(owner)
    await storeEntry(db, paid)
    await till.enter(payer, paid)
    expect(await refusalOf(openEntry(payer, paid))).toEqual(NOTHING)
    await till.work()
    expect(await openEntry(payer, paid)).toMatchObject({ version: 1 })
    await till.pass('32 days', 'failed')
    expect(await refusalOf(openEntry(payer, paid))).toEqual(NOTHING)
  })

  test.each([
    ['nothing else', [], ['otp', 'password', 'totp', 'passkey']],
    ['a password', ['password'], ['password', 'totp', 'passkey']],
    ['a passkey', ['password', 'passkey'], ['totp', 'passkey']],
    ['an authenticator app', ['password', 'totp'], ['totp', 'passkey']],
  ])('takes of somebody with %s what is strong enough, ten minutes long', async (_has, means, accepted) => {
    await storeEntry(db, plan)
    if (means.includes('password'))
      await sql`update auth.users set encrypted_password = 'hash' where id = ${marc.id}`
    if (means.includes('passkey'))
      await sql`insert into auth.webauthn_credentials (user_id, credential_id, public_key) values (${marc.id}, ${marc.id}, 'key')`
    if (means.includes('totp'))
      await sql`insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
        values (${marc.id}, ${marc.id}, 'Phone', 'totp', 'verified')`
    const shown: string[] = []
    for (const method of ['otp', 'password', 'totp', 'passkey']) {
      const opened = await openEntry(signedInWith(db, marc, [method], 590), plan).catch(({ code }) => code)
      if (opened !== 'PT403') shown.push(method)
      expect(await refusalOf(openEntry(signedInWith(db, marc, [method], 605), plan))).toMatchObject({
        code: 'PT403',
      })
    }
    expect(shown).toEqual(accepted)
    // What was refused for that is on no list.
    expect(await openingsFor(marc)).toHaveLength(accepted.length)
  })

  test('is written down for the owner and the member concerned, and ten times an hour at most', async () => {
    await storeEntry(db, plan)
    await join(db, zoe, plan)
    await openEntry(zoe, plan)
    for (let times = 0; times < 10; times++) await openEntry(marc, plan)
    const tooMuch = await refusalOf(openEntry(marc, plan))
    expect(tooMuch).toMatchObject({ code: 'PT429' })
    expect(Number(/wait (\d+) seconds/.exec(tooMuch.message)?.[1])).toBeGreaterThan(3500)
    const own = (opener_name: string, times: number) => Array(times).fill({ opener_name, version: 1 })
    expect(await openingsFor(marc)).toEqual(own('Marc', 10))
    expect(await openingsFor(zoe)).toEqual(own('Zoe', 1))
    expect(await openingsFor(olivia)).toEqual([...own('Marc', 10), ...own('Zoe', 1)])
    await openEntry(olivia, plan)
    expect(await openingsFor(marc)).toHaveLength(10)
    await sql`update private.rate_limit_usage set used_at =
      (select array_agg(t - interval '1 hour' order by t) from unnest(used_at) as t) where user_id = ${marc.id}`
    await openEntry(marc, plan)
  })
})

describe('a password that a former member knows', () => {
  const due = async () =>
    [await entryFor(olivia), await entryFor(zoe)].map((entry) => entry?.change_due_since)

  test('is to be changed: the owner and the members see so until there is a new version', async () => {
    await join(db, zoe, plan)
    const felix = await addPerson(db, 'Felix')
    await join(db, felix, plan)
    await leave(felix, true)
    expect(await due()).toEqual([undefined, undefined])
    await till.pass('1 minute')
    // Nobody has left since there is something to know.
    await storeEntry(db, plan)
    expect(await due()).toEqual([null, null])
    await till.pass('1 minute')
    await leave(marc, true)
    const [seat] = await sql<{ at: string }>`
      select to_json(ended_at) #>> '{}' as at from private.seats where member_id = ${marc.id}`
    expect(await due()).toEqual([seat?.at, seat?.at])
    await till.pass('1 minute')
    await storeEntry(db, plan)
    expect(await due()).toEqual([null, null])
  })

  test('is a task that the owner is told of once, and has on the list of plans until there is a new version', async () => {
    const list = (person: Person) => person.sql`select subscription_id as id from passwords_due()`
    const told = () =>
      olivia.sql`select title, message, subscription_id as id from user_notifications where event = 'password-due'`
    await join(db, zoe, plan)
    await storeEntry(db, plan)
    await till.pass('1 minute')
    expect([await list(olivia), await told()]).toEqual([[], []])
    await olivia.sql`delete from subscription_members where user_id = ${marc.id}`
    await till.pass('1 minute')
    await leave(zoe, true)
    expect([await list(olivia), await list(zoe)]).toEqual([[{ id: plan.id }], []])
    expect(await told()).toEqual([
      {
        title: 'Change the Password',
        message:
          'Marc no longer has a place in Netflix Premium, and still knows how to get in. Change the password at the provider, then store the new one.',
        id: plan.id,
      },
    ])
    expect(
      await sql`select 1 from private.outgoing_mail where recipient = ${olivia.email} and event = 'password-due'`,
    ).toHaveLength(1)
    await till.pass('1 minute')
    await storeEntry(db, plan)
    expect(await list(olivia)).toEqual([])
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await told()).toHaveLength(1)
  })

  test('is not one that they never got to see', async () => {
    const owner = await till.payer('Olivia')
    const payer = await till.payer('Marc')
    const paid = await till.share(owner)
    await storeEntry(db, paid)
    await till.pass('1 minute')
    await till.enter(payer, paid)
    await leave(payer, true)
    const entry = () =>
      owner.sql`select (get_vault_entry(${paid.id}) ->> 'change_due_since') is not null as due`
    expect(await entry()).toEqual([{ due: false }])
    await till.enter(payer, paid)
    await till.work()
    await leave(payer, true)
    expect(await entry()).toEqual([{ due: true }])
  })
})

describe('what is left', () => {
  const count = async (table: string) =>
    Number(
      (
        await db.query<{ n: number }>(
          `select count(*)::int as n from private.${table}
      where subscription_id = $1`,
          [plan.id],
        )
      )[0]?.n,
    )

  test('of a plan that is cancelled is who opened it, and neither its key nor anything it sealed', async () => {
    await storeEntry(db, plan)
    await openEntry(marc, plan)
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect([await count('vault_entries'), await count('vault_keys'), await count('vault_openings')]).toEqual([
      0, 0, 1,
    ])
    for (const person of [olivia, marc]) {
      expect(await refusalOf(openEntry(person, plan))).toEqual(NOTHING)
      expect(await openingsFor(person)).toEqual([{ opener_name: 'Marc', version: 1 }])
    }
  })

  test('of somebody who took their data along holds versions and openings, and nothing sealed', async () => {
    await storeEntry(db, plan)
    await openEntry(marc, plan)
    const exported = async (person: Person) =>
      (await person.sql<{ data: Record<string, unknown> }>`select export_own_data() as data`)[0]?.data
    expect(await exported(olivia)).toMatchObject({
      vault_versions: [{ subscription_id: plan.id, version: 1, created_at: expect.any(String) }],
      vault_openings: [{ opened_by: marc.id, version: 1 }],
    })
    expect(await exported(marc)).toMatchObject({
      vault_versions: null,
      vault_openings: [{ subscription_id: plan.id, opened_at: expect.any(String) }],
    })
    expect(JSON.stringify([await exported(olivia), await exported(marc)])).not.toContain('v1.sealed')
  })

  test('of an owner who goes without ever having had a member is nothing', async () => {
    await leave(marc, true)
    const nora = await addPerson(db, 'Nora')
    const [own] = await nora.sql<{ id: string }>`insert into shared_subscriptions
      (catalogue_plan_id, owner_max_members, next_payment) values ('tidal-family', 3, current_date + 30) returning id`
    const hers = { id: own?.id ?? '', owner: nora }
    await storeEntry(db, hers)
    await openEntry(nora, hers)
    await nora.sql`select delete_own_account(true)`
    expect(await sql`select id from auth.users where id = ${nora.id}`).toEqual([])
  })
})
