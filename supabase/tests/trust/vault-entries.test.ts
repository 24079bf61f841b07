// Access data of a plan: the people who store and open it, the readers of its openings, and the effects of a new
// version or an ended seat. Encryption itself is tested in edge-functions/.
// Proves VAULT 01 03-05 07 08, MEMB 05
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, denied, expectRefusal, notFound, single } from '../answers.ts'
import { type Asker, addPerson, ownDatabase, type Person, signedInWith } from '../people.ts'
import { ask, join, setTheTable, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'
import { openEntry, openLogin, storeEntry, storeLogin } from '../vault-entries.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
let { olivia, marc, zoe, plan } = await setTheTable(db)
beforeEach(async () => {
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

const NOTHING = notFound('There’s nothing for you to open')
type Entry = Awaited<ReturnType<typeof storeEntry>>
const entryFor = (person: Person) => single<Entry | null>(person.sql`select get_vault_entry(${plan.id})`)
const openingsFor = (person: Person) =>
  person.sql`select opener_name, version from list_vault_openings(${plan.id})`
const versionsFor = (person: Person) =>
  person.sql`select version, author_name from list_vault_versions(${plan.id})`
const leave = (person: Person, now: boolean) =>
  person.sql`select leave_seat(id, ${now}) from my_seats() where ended_at is null`
const remove = (person: Person) => olivia.sql`delete from subscription_members where user_id = ${person.id}`
const has = () => single<boolean>(sql`select private.has_vault_entry(${plan.id})`)

describe('storing', () => {
  const direct = (person: Asker, version: number | null = 1) =>
    person.sql`select save_vault_entry(${olivia.id}, ${plan.id}, ${version}, 'v1.mine', null)`

  test('is for the owner alone, who has just shown that it is them', async () => {
    for (const owner of [marc, zoe])
      await expectRefusal(
        storeEntry(db, { ...plan, owner }),
        denied("Only the plan's owner can change access"),
      )
    const old = { ...olivia, ...signedInWith(db, olivia, ['totp'], 601) }
    await expectRefusal(storeEntry(db, { ...plan, owner: old }), { code: 'PT403' })
    // An entry that the function `vault` did not seal cannot be stored.
    for (const person of [olivia, old, marc]) await expectRefusal(direct(person), { code: '42501' })
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
      await expectRefusal(direct({ sql } as Asker, version), { code: 'PT409' })
    expect(await openEntry(olivia, plan)).toEqual({ version: 2, sealed: 'v1.two' })
    expect(await openEntry(olivia, plan, 1)).toEqual({ version: 1, sealed: 'v1.one' })
  })

  test('tells everybody who has a seat, and each sees that it changed until they open it', async () => {
    const former = await addPerson(db, 'Felix')
    for (const person of [zoe, former]) await join(db, person, plan)
    await leave(former, true)
    await storeEntry(db, plan)
    const told = sql`select u.display_name as who, n.params ->> 'version' as version, n.message
      from user_notifications as n join user_profiles as u on u.user_id = n.user_id
      where n.event = 'access-changed' and n.subscription_id = ${plan.id} order by 1`
    const message = 'Your access to Netflix Premium is on the plan’s page.'
    expect(await told).toEqual(['Marc', 'Zoe'].map((who) => ({ who, version: '1', message })))
    expect(await entryFor(marc)).toMatchObject({ opened: false })
    await openEntry(marc, plan)
    expect([await entryFor(marc), await entryFor(zoe)]).toMatchObject([{ opened: true }, { opened: false }])
    await storeEntry(db, plan)
    expect(await entryFor(marc)).toMatchObject({ version: 2, opened: false })
  })
})

describe('opening', () => {
  const expectNothingFor = async (person: Person, versions: (number | null)[]) => {
    for (const version of versions) await expectRefusal(openEntry(person, plan, version), NOTHING)
    expect([await entryFor(person), await versionsFor(person)]).toEqual([null, []])
  }

  test('is for the owner and those who have a living seat, and nobody else knows that there is anything', async () => {
    await storeEntry(db, plan, 'v1.one')
    await storeEntry(db, plan, 'v1.two')
    await ask(db, zoe, plan)
    expect(await openEntry(marc, plan)).toEqual({ version: 2, sealed: 'v1.two' })
    await expectRefusal(openEntry(marc, plan, 1), NOTHING)
    await expectNothingFor(zoe, [null, 1, 2])
    expect(await openingsFor(zoe)).toEqual([])
    await sql`insert into user_roles (user_id, role) values (${zoe.id}, 'super-admin')`
    await expectNothingFor(zoe, [null])
    await expectRefusal(openEntry(olivia, { id: 'sub-0' }), NOTHING)
  })

  test('ends with the seat, whoever ends it and however fresh the token is; no version is left to them', async () => {
    await storeEntry(db, plan)
    await join(db, zoe, plan)
    for (const person of [marc, zoe]) await openEntry(person, plan)
    await leave(marc, true)
    await remove(zoe)
    for (const person of [marc, zoe]) await expectNothingFor(person, [null, 1])
  })

  test('ends in the second the seat does, before anybody has looked for work', async () => {
    await storeEntry(db, plan)
    await leave(marc, false)
    await openEntry(marc, plan)
    await sql`update private.clock set ahead = ahead + (
      select ends_at - private.now() - interval '20 seconds' from private.seats where member_id = ${marc.id})`
    expect(await openEntry(marc, plan)).toMatchObject({ version: 1 })
    await sql`update private.clock set ahead = ahead + interval '20 seconds'`
    expect(await single(sql`select status from private.seats where member_id = ${marc.id}`)).toBe('ending')
    await expectRefusal(openEntry(marc, plan), NOTHING)
  })

  test('waits for the first payment where that goes through the site, and for one that is late', async () => {
    const payer = await till.payer('Marc')
    const paid = await till.share(await till.payer('Olivia'))
    await storeEntry(db, paid)
    await till.enter(payer, paid)
    await expectRefusal(openEntry(payer, paid), NOTHING)
    await till.work()
    expect(await openEntry(payer, paid)).toMatchObject({ version: 1 })
    await till.pass('32 days', 'failed')
    await expectRefusal(openEntry(payer, paid), NOTHING)
  })

  // The proofs required of each person: account/ways-in.test.ts.
  test('takes a proof of identity that is strong enough, ten minutes long, and lists nothing that was refused', async () => {
    await storeEntry(db, plan)
    await sql`insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
      values (${marc.id}, ${marc.id}, 'Phone', 'totp', 'verified')`
    const opened = (method: string, ago: number) => openEntry(signedInWith(db, marc, [method], ago), plan)
    for (const [method, ago] of [
      ['password', 0],
      ['otp', 0],
      ['totp', 605],
      ['passkey', 605],
    ] as const)
      await expectRefusal(opened(method, ago), { code: 'PT403' })
    for (const method of ['totp', 'passkey']) await opened(method, 590)
    expect(await openingsFor(marc)).toHaveLength(2)
  })

  test('is written down for the owner and the member concerned, and ten times an hour at most', async () => {
    await storeEntry(db, plan)
    await join(db, zoe, plan)
    await openEntry(zoe, plan)
    for (let times = 0; times < 10; times++) await openEntry(marc, plan)
    await expectRefusal(openEntry(marc, plan), { code: 'PT429' })
    const own = (opener_name: string, times: number) => Array(times).fill({ opener_name, version: 1 })
    expect(await openingsFor(marc)).toEqual(own('Marc', 10))
    expect(await openingsFor(zoe)).toEqual(own('Zoe', 1))
    expect(await openingsFor(olivia)).toEqual([...own('Marc', 10), ...own('Zoe', 1)])
    await openEntry(olivia, plan)
    expect(await openingsFor(marc)).toHaveLength(10)
    const passMinutes = (minutes: string) => sql`update private.rate_limit_usage set used_at =
      (select array_agg(t - ${minutes}::interval order by t) from unnest(used_at) as t) where user_id = ${marc.id}`
    await passMinutes('59 minutes')
    await expectRefusal(openEntry(marc, plan), { code: 'PT429' })
    await passMinutes('1 minute')
    await openEntry(marc, plan)
  })
})

describe('a password that a former member knows', () => {
  const due = async () =>
    [await entryFor(olivia), await entryFor(zoe)].map((entry) => entry?.change_due_since)
  const list = (person: Person) => columnOf(person.sql`select subscription_id from passwords_due()`)
  const told = () =>
    olivia.sql`select title, message, subscription_id as id from user_notifications where event = 'password-due'`

  test('is to be changed: the owner is told once, and all see so until there is a new version', async () => {
    const felix = await addPerson(db, 'Felix')
    for (const person of [zoe, felix]) await join(db, person, plan)
    await leave(felix, true)
    expect(await due()).toEqual([undefined, undefined])
    await till.pass('1 minute')
    // No member has left since the entry was stored.
    await storeEntry(db, plan)
    expect([await due(), await list(olivia), await told()]).toEqual([[null, null], [], []])
    await till.pass('1 minute')
    await remove(marc)
    const at = await single(
      sql`select to_json(ended_at) #>> '{}' from private.seats where member_id = ${marc.id}`,
    )
    expect(await due()).toEqual([at, at])
    await till.pass('1 minute')
    await join(db, felix, plan)
    await leave(felix, true)
    expect([await list(olivia), await list(zoe)]).toEqual([[plan.id], []])
    const message =
      'Marc is no longer in Netflix Premium but still knows the password. Change it at the provider, then save the new one here.'
    expect(await told()).toEqual([{ title: 'Change the Password', message, id: plan.id }])
    expect(
      await sql`select 1 from private.outgoing_mail where recipient = ${olivia.email} and event = 'password-due'`,
    ).toHaveLength(1)
    await till.pass('1 minute')
    await storeEntry(db, plan)
    expect([await due(), await list(olivia)]).toEqual([[null, null], []])
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await told()).toHaveLength(1)
  })

  test('is not one that they never got to see', async () => {
    const owner = await till.payer('Olivia')
    const payer = await till.payer('Marc')
    const paid = await till.share(owner)
    await storeEntry(db, paid)
    const isDue = () =>
      single(owner.sql`select (get_vault_entry(${paid.id}) ->> 'change_due_since') is not null`)
    await till.pass('1 minute')
    await till.enter(payer, paid)
    await leave(payer, true)
    expect(await isDue()).toBe(false)
    await till.enter(payer, paid)
    await till.work()
    await leave(payer, true)
    expect(await isDue()).toBe(true)
  })
})

describe('the account login', () => {
  const ago = (person: Person) => ({ ...person, ...signedInWith(db, person, ['totp'], 601) })
  const logins = () => Promise.all([olivia, marc, zoe].map((person) => openLogin(person, plan)))

  test('is stored by the owner and seen by whoever is let in, without a proof or a record', async () => {
    await expectRefusal(storeLogin(db, { ...plan, owner: marc }), {
      code: '42501',
      message: "Only the plan's owner can change access",
    })
    expect(await logins()).toEqual([null, null, null])
    await storeLogin(db, { ...plan, owner: ago(olivia) }, 'v1.us')
    for (let times = 0; times < 12; times++) expect(await openLogin(ago(marc), plan)).toBe('v1.us')
    expect(await logins()).toEqual(['v1.us', 'v1.us', null])
    expect(await openingsFor(olivia)).toEqual([])
    // Members who pay through the site get access once the payment has arrived, and lose it while a renewal is unpaid.
    for (const [change, login] of [
      [
        `settlement = 'potluck', anchor = null, admitted_at = null, begins_at_once_at = now(), withdrawable_until = now()`,
        null,
      ],
      ['admitted_at = now()', 'v1.us'],
      ['late_since = now()', null],
    ] as const) {
      await db.query(`update private.seats set ${change} where member_id = $1`, [marc.id])
      expect(await openLogin(marc, plan)).toBe(login)
    }
    await remove(marc)
    expect(await openLogin(marc, plan)).toBeNull()
  })

  test('has its versions among the others, and nobody opens one for the other', async () => {
    await storeLogin(db, plan, 'v1.us')
    expect(await entryFor(marc)).toBeNull()
    await expectRefusal(openEntry(marc, plan), NOTHING)
    expect(await storeEntry(db, plan, 'v1.secret')).toMatchObject({ version: 2 })
    await storeLogin(db, plan, 'v1.ours')
    const versions = await marc.sql`select version, part from list_vault_versions(${plan.id})`
    expect(versions.map(({ version, part }) => `${version} ${part}`)).toEqual([
      '3 login',
      '2 access',
      '1 login',
    ])
    expect(await logins()).toEqual(['v1.ours', 'v1.ours', null])
    for (const person of [marc, olivia])
      expect(await openEntry(person, plan)).toEqual({ version: 2, sealed: 'v1.secret' })
    for (const version of [1, 3]) await expectRefusal(openEntry(marc, plan, version), NOTHING)
    expect(await openEntry(olivia, plan, 1)).toEqual({ version: 1, sealed: 'v1.us' })
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await logins()).toEqual([null, null, null])
  })

  test('is told when it changes, and neither gives access nor answers for the password', async () => {
    const access = () => sql`select access_given_at from private.seats where subscription_id = ${plan.id}`
    await sql`update private.seats set anchor = null, access_given_at = null where subscription_id = ${plan.id}`
    const told = () =>
      columnOf(
        marc.sql`select message from user_notifications where event = 'access-changed' order by created_at`,
      )
    await storeLogin(db, plan)
    await sql`select private.add_member(${plan.id}, ${zoe.id}, false)`
    expect(await access()).toEqual([{ access_given_at: null }, { access_given_at: null }])
    await storeEntry(db, plan)
    await openEntry(marc, plan)
    await till.pass('1 minute')
    await leave(zoe, true)
    const due = (await entryFor(olivia))?.change_due_since
    expect(due).toEqual(expect.any(String))
    await till.pass('1 minute')
    await storeLogin(db, plan)
    expect(await entryFor(olivia)).toMatchObject({ version: 2, change_due_since: due })
    expect(await entryFor(marc)).toMatchObject({ version: 2, opened: true })
    expect(await told()).toEqual([
      'The account login for Netflix Premium is on the plan’s page.',
      'The account login for Netflix Premium has changed. See the plan’s page.',
    ])
  })

  test('stands in no column in clear, nor does a password', async () => {
    // The column with a secret's id does not count as a secret.
    expect(
      await sql`select table_schema, table_name from information_schema.columns
        where table_schema in ('public', 'private') and column_name ~* 'pass|pwd|secret|login' and data_type <> 'uuid'`,
    ).toEqual([])
  })
})

describe('what is left', () => {
  test('of a plan that is cancelled is who opened it, and neither its key nor anything it sealed', async () => {
    await storeEntry(db, plan)
    await openEntry(marc, plan)
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(
      await sql`select (select count(*)::int from private.vault_entries where subscription_id = ${plan.id}) as entries,
        (select count(*)::int from private.vault_keys where subscription_id = ${plan.id}) as keys,
        (select count(*)::int from private.vault_openings where subscription_id = ${plan.id}) as openings`,
    ).toEqual([{ entries: 0, keys: 0, openings: 1 }])
    for (const person of [olivia, marc]) {
      await expectRefusal(openEntry(person, plan), NOTHING)
      expect(await openingsFor(person)).toEqual([{ opener_name: 'Marc', version: 1 }])
    }
  })

  test('of somebody who took their data along holds versions and openings, and nothing sealed', async () => {
    await storeEntry(db, plan)
    await openEntry(marc, plan)
    const exported = (person: Person) => single(person.sql`select export_own_data()`)
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
    const nora = await addPerson(db, 'Nora')
    const hers = await sharePlan(db, nora, { catalogueId: 'tidal-family', places: 3 })
    await storeEntry(db, hers)
    await openEntry(nora, hers)
    await nora.sql`select delete_own_account(true)`
    expect(await sql`select id from auth.users where id = ${nora.id}`).toEqual([])
  })
})
