// Staff access money and roles only with a second factor or a passkey, unless the site is sheltered; and if the site
// requires one, a role allows nothing at all in a session without it.
// Proves SAFE 05
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { columnOf, denied, expectRefusal, single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { type Asker, addPerson, addStaff, ownDatabase, type Person, signedInWith } from '../people.ts'
import { setTheTable } from '../plans.ts'

const SHUT = denied('To do this, set up two-step sign-in or a passkey in Account Settings.')
const SWITCH_ON = 'update app_settings set require_second_factor = true returning id'
const SWITCH_OFF = 'update app_settings set require_second_factor = false returning id'
const MONEY = [
  'user_wallets',
  'coin_transactions',
  'withdrawal_requests',
  'member_payments',
  'private.user_details',
]

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
    await sql`update user_profiles set full_name = 'Olivia Whole' where user_id = ${olivia.id}`
  })
  beforeEach(() => sql`update app_settings set require_second_factor = false`)
  const showing = (methods: string[], person = sofia) => signedInWith(db, person, methods)
  /** Returns the outcome of a statement: the message with which it is refused, or 'done'. */
  const outcomeOf = (who: Asker, text: string) =>
    who.run(text).then(
      () => 'done',
      (error: Error) => error.message,
    )
  /** Returns calls, without arguments, of staff functions whose bodies match `asking`. */
  const callsOf = (asking: string) =>
    columnOf(sql`select format('select public.%I(%s)', exposed.proname, (
        select string_agg('null::' || t::regtype, ', ') from unnest(exposed.proargtypes::oid[]) as t))
      from pg_proc as exposed join pg_proc as body on body.proname = exposed.proname
      where exposed.pronamespace = 'public'::regnamespace and body.pronamespace = 'private'::regnamespace
        and body.prosrc ~ ${asking} order by 1`)

  /** Returns the outcomes of all staff actions about money and roles. */
  async function outcomes(methods: string[]): Promise<Set<string>> {
    const [zoe, tom] = [await addPerson(db, 'Zoe'), await addStaff(db, 'Tom', 'moderator')]
    await moveCoins(db, zoe, 'earned', 20)
    await addBankAccount(db, zoe)
    const { id: withdrawal } = await zoe.insert('withdrawal_requests', { user_id: zoe.id, amount: '20' })
    const { id: request } = await tom.insert('admin_role_requests', {
      ...{ user_id: tom.id, name: 'Tom', email: tom.email, reason: 'I would like to help with payouts.' },
    })
    const found = new Set<string>()
    for (const text of [
      'select * from wallet_overview()',
      `select adjust_wallet('${tom.id}', 1, 'A gift')`,
      `update withdrawal_requests set status = 'processing' where id = '${withdrawal}'`,
      `insert into user_roles (user_id, role) values ('${zoe.id}', 'moderator')`,
      `select assign_user_role('${zoe.id}', 'admin')`,
      `update user_roles set role = 'admin' where user_id = '${tom.id}'`,
      `update admin_role_requests set status = 'rejected' where id = '${request}'`,
      `delete from user_roles where user_id = '${tom.id}'`,
      `insert into system_roles (name) values ('Helpers ${zoe.id}')`,
      `update system_roles set description = 'Helps' where name = 'moderator'`,
      'update app_settings set adjustment_ceiling = 50',
    ])
      found.add(await outcomeOf(showing(methods), text))
    return found
  }
  const strangersMoney = async (methods: string[]) => {
    const seen: string[] = []
    for (const table of MONEY) {
      const owner = table === 'member_payments' ? 'owner_id' : 'user_id'
      const rows = await showing(methods).run(`select from ${table} where ${owner} <> $1`, [sofia.id])
      if (rows.length > 0) seen.push(table)
    }
    const revenue = await single(showing(methods).sql`select revenue from get_admin_dashboard()`)
    return { seen, revenue: revenue !== null }
  }
  const ALL = { seen: MONEY, revenue: true }

  test.each([[['password']], [['otp']], [[]]])('%j opens no money and no role', async (methods) => {
    expect(await outcomes(methods)).toEqual(new Set([sheltered ? 'done' : SHUT.message]))
    expect(await strangersMoney(methods)).toEqual(sheltered ? ALL : { seen: [], revenue: false })
  })

  test.each(['totp', 'passkey', 'mfa/recovery_code'])('%s opens both', async (method) => {
    expect(await outcomes([method, 'password'])).toEqual(new Set(['done']))
    expect(await strangersMoney([method])).toEqual(ALL)
  })

  test('no function for treasurers and super-admins does anything before that is asked', async () => {
    const calls = await callsOf('require_treasurer|private\\.proven')
    expect(calls.length).toBeGreaterThan(10)
    const open: string[] = []
    for (const call of calls)
      if ((await outcomeOf(showing(['password']), call)) !== SHUT.message) open.push(call)
    expect(open).toEqual(sheltered ? calls : [])
  })

  test('nobody is told of a second factor who has no role', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const overview = showing(['password'], zoe).sql`select wallet_overview()`
    await expectRefusal(overview, denied('Only admins can do this'))
  })

  describe('where the site requires it', () => {
    const permissions = async (who: Asker) =>
      Object.values(
        (
          await who.sql`select cardinality(private.my_permissions()), private.is_staff(), role_is_shut()`
        )[0] ?? {},
      )
    const EVERYTHING = [8, true, false]

    test('which it does not at first, what was shown decides', async () => {
      expect(await permissions(showing(['password']))).toEqual(EVERYTHING)
      await sql`update app_settings set require_second_factor = true`
      for (const methods of [['password'], ['otp'], []])
        expect(await permissions(showing(methods))).toEqual([0, false, true])
      for (const methods of [['totp', 'password'], ['passkey'], ['mfa/recovery_code', 'password']])
        expect(await permissions(showing(methods))).toEqual(EVERYTHING)
      const zoe = await addPerson(db, 'Zoe')
      expect(await permissions(showing(['password'], zoe))).toEqual([0, false, false])
    })

    test('no table shows more, and no function does more, than without the role', async () => {
      const tables = await columnOf(sql`select relname from pg_class
        where relkind in ('r', 'v') and relnamespace = 'public'::regnamespace
          and has_any_column_privilege('authenticated', oid, 'select')
          and relname not in ('user_roles', 'system_roles') order by 1`)
      const calls = await callsOf('require_treasurer|private\\.(proven|may|is_staff|my_permissions)\\(')
      expect([tables.length > 20, calls.length > 10]).toEqual([true, true])
      const opened = async (who: Asker) => {
        const found: string[] = []
        for (const name of tables)
          found.push(`${name} ${(await who.run(`select from public.${name}`)).length}`)
        for (const call of calls)
          found.push(
            await who.run(call).then(
              () => `${call} answers`,
              (error: Error & { code?: string }) => `${call} ${error.code}`,
            ),
          )
        return found
      }
      const open = await opened(sofia)
      await sql`update app_settings set require_second_factor = true`
      expect(await opened(sofia)).toEqual(open)
      const shut = await opened(showing(['password']))
      expect(await columnOf(showing(['password']).sql`select role from user_roles`)).toEqual(['super-admin'])
      await sql`delete from user_roles where user_id = ${sofia.id}`
      const roleless = await opened(showing(['password']))
      await sql`insert into user_roles (user_id, role) values (${sofia.id}, 'super-admin')`
      expect(shut).toEqual(roleless)
      expect(shut).not.toEqual(open)
    })

    test('it is switched on by a super-admin who shows one, and off again likewise', async () => {
      const first = denied('First set up two-step sign-in or a passkey for yourself, and sign in with it.')
      await expectRefusal(showing(['password']).run(SWITCH_ON), sheltered ? first : SHUT)
      await expectRefusal(edith.run(SWITCH_ON), denied('Only super-admins can change this setting'))
      expect(await sofia.run(SWITCH_ON)).toHaveLength(1)
      await expectRefusal(showing(['password']).run(SWITCH_OFF), SHUT)
      expect(await single(sql`select require_second_factor from app_settings`)).toBe(true)
      expect(await sofia.run(SWITCH_OFF)).toHaveLength(1)
      const line = { actor_name: 'Sofia', action: 'settings changed' }
      expect(
        await sofia.sql`select actor_name, action, details -> 'after' -> 'require_second_factor' as now
          from list_staff_log(null, 2)`,
      ).toEqual([
        { ...line, now: false },
        { ...line, now: true },
      ])
    })
  })
})
