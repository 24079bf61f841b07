// Where the site requires a second factor of staff, a role opens nothing in a session without one.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import {
  type Asker,
  addPerson,
  addStaff,
  denied,
  ownDatabase,
  type Person,
  refusalOf,
  signedInWith,
} from '../people.ts'
import { setTheTable } from '../plans.ts'

const SWITCH_ON = 'update app_settings set require_second_factor = true returning id'
const SHUT = denied(
  'Your role needs a second factor or a passkey for this. Set one up in your account settings.',
)

describe.each([false, true])('on a site that is sheltered: %s', async (sheltered) => {
  const { db, sql } = await ownDatabase({ sheltered })
  let sofia: Person
  let edith: Person
  beforeAll(async () => {
    sofia = await addStaff(db, 'Sofia', 'super-admin')
    await addStaff(db, 'Selma', 'super-admin')
    await sql`insert into system_roles (name, permissions) values ('editor', '{settings.edit}')`
    edith = await addStaff(db, 'Edith', 'editor')
    const { olivia } = await setTheTable(db)
    await moveCoins(db, olivia, 'earned', 100)
    await addBankAccount(db, olivia)
    await olivia.insert('withdrawal_requests', { user_id: olivia.id, amount: '20' })
  })
  beforeEach(async () => {
    await sql`update app_settings set require_second_factor = false`
  })
  const required = () => sql`update app_settings set require_second_factor = true`
  const withPassword = (person = sofia) => signedInWith(db, person, ['password'])

  const permissions = async (who: Asker) => {
    const [found] = await who.sql<{ may: number; staff: boolean; shut: boolean }>`
      select cardinality(private.my_permissions()) as may, private.is_staff() as staff, role_is_shut() as shut`
    return [found?.may, found?.staff, found?.shut]
  }
  const NOTHING = [0, false, true]
  const EVERYTHING = [8, true, false]

  test('it is off at first, and what was shown decides once it is on', async () => {
    expect(await permissions(withPassword())).toEqual(EVERYTHING)
    await required()
    for (const methods of [['password'], ['otp'], []])
      expect(await permissions(signedInWith(db, sofia, methods))).toEqual(NOTHING)
    for (const methods of [['totp', 'password'], ['passkey'], ['mfa/recovery_code', 'password']])
      expect(await permissions(signedInWith(db, sofia, methods))).toEqual(EVERYTHING)
    expect(await permissions(withPassword(await addPerson(db, 'Zoe')))).toEqual([0, false, false])
  })

  test('no table shows more, and no function does more, than without the role', async () => {
    const tables = await sql<{ name: string }>`select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
        and has_any_column_privilege('authenticated', oid, 'select')
        and relname not in ('user_roles', 'system_roles') order by 1`
    const calls = await sql<{ call: string }>`select format('select public.%I(%s)', exposed.proname, (
        select string_agg('null::' || t::regtype, ', ') from unnest(exposed.proargtypes::oid[]) as t)) as call
      from pg_proc as exposed join pg_proc as body on body.proname = exposed.proname
      where exposed.pronamespace = 'public'::regnamespace and body.pronamespace = 'private'::regnamespace
        and body.prosrc ~ 'require_treasurer|private\\.(proven|may|is_staff|my_permissions)\\(' order by 1`
    expect([tables.length > 20, calls.length > 10]).toEqual([true, true])
    const opened = async (who: Asker) => {
      const found: string[] = []
      for (const { name } of tables)
        found.push(`${name} ${(await who.run(`select from public.${name}`)).length}`)
      for (const { call } of calls)
        found.push(
          await who.run(call).then(
            () => `${call} answers`,
            (error: Error & { code?: string }) => `${call} ${error.code}`,
          ),
        )
      return found
    }
    const open = await opened(sofia)
    await required()
    expect(await opened(sofia)).toEqual(open)
    const shut = await opened(withPassword())
    const [own] = await withPassword().sql`select role from user_roles`
    expect(own).toEqual({ role: 'super-admin' })
    await sql`delete from user_roles where user_id = ${sofia.id}`
    const roleless = await opened(withPassword())
    await sql`insert into user_roles (user_id, role) values (${sofia.id}, 'super-admin')`
    expect(shut).toEqual(roleless)
    expect(shut).not.toEqual(open)
  })

  test('it is switched on by a super-admin who shows one, and off again likewise', async () => {
    expect(await refusalOf(withPassword().run(SWITCH_ON))).toEqual(
      sheltered
        ? denied('Set up a second factor or a passkey for yourself first, and sign in with it.')
        : SHUT,
    )
    expect(await refusalOf(edith.run(SWITCH_ON))).toEqual(
      denied('Only a super-admin decides whether staff needs a second factor'),
    )
    expect(await sofia.run(SWITCH_ON)).toHaveLength(1)
    const switchOff = 'update app_settings set require_second_factor = false'
    expect(await refusalOf(withPassword().run(switchOff))).toEqual(SHUT)
    expect(await sql`select require_second_factor as now from app_settings`).toEqual([{ now: true }])
    await sofia.run(switchOff)
    const lines =
      await sofia.sql`select actor_name, action, details -> 'after' -> 'require_second_factor' as now
      from list_staff_log(null, 2)`
    expect(lines.map(({ actor_name, action, now }) => [actor_name, action, now])).toEqual([
      ['Sofia', 'settings changed', false],
      ['Sofia', 'settings changed', true],
    ])
  })
})
