// Staff reach money and roles only with a second factor or a passkey, except where nobody else can reach the site.
import { beforeAll, describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addPerson, addStaff, denied, ownDatabase, type Person, refusalOf, signedInWith } from '../people.ts'
import { setTheTable } from '../plans.ts'

const UNPROVEN = denied(
  'Your role needs a second factor or a passkey for this. Set one up in your account settings.',
)
const MONEY = ['user_wallets', 'coin_transactions', 'withdrawal_requests', 'member_payments', 'user_details']

describe.each([false, true])('on a site that is sheltered: %s', async (sheltered) => {
  const { db, sql } = await ownDatabase({ sheltered })
  let sofia: Person
  beforeAll(async () => {
    sofia = await addStaff(db, 'Sofia', 'super-admin')
    const { olivia } = await setTheTable(db)
    await moveCoins(db, olivia, 'earned', 100)
    await addBankAccount(db, olivia)
    await olivia.insert('withdrawal_requests', { user_id: olivia.id, amount: '20' })
    await sql`update user_profiles set full_name = 'Olivia Whole' where user_id = ${olivia.id}`
  })

  /** What becomes of all that staff does about money and roles: the sentences of refusals, or 'done'. */
  async function outcomes(methods: string[]): Promise<Set<string>> {
    const [zoe, tom] = [await addPerson(db, 'Zoe'), await addStaff(db, 'Tom', 'moderator')]
    await moveCoins(db, zoe, 'earned', 20)
    await addBankAccount(db, zoe)
    const { id: withdrawal } = await zoe.insert('withdrawal_requests', { user_id: zoe.id, amount: '20' })
    const { id: request } = await tom.insert('admin_role_requests', {
      ...{ user_id: tom.id, name: 'Tom', email: tom.email, reason: 'I would like to help with payouts.' },
    })
    const attempts = [
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
    ]
    const found = new Set<string>()
    for (const text of attempts) {
      await signedInWith(db, sofia, methods)
        .run(text)
        .then(
          () => found.add('done'),
          (error: Error) => found.add(error.message),
        )
    }
    return found
  }

  const strangersMoney = async (methods: string[]) => {
    const me = signedInWith(db, sofia, methods)
    const seen: string[] = []
    for (const table of MONEY) {
      const owner = table === 'member_payments' ? 'owner_id' : 'user_id'
      if ((await me.run(`select from ${table} where ${owner} <> $1`, [sofia.id])).length > 0) seen.push(table)
    }
    const [figures] = await me.sql<{ revenue: string | null }>`select revenue from get_admin_dashboard()`
    return { seen, revenue: figures?.revenue !== null }
  }

  test('a password, or what was mailed, opens no money and no role', async () => {
    for (const methods of [['password'], ['otp'], []]) {
      expect(await outcomes(methods)).toEqual(new Set([sheltered ? 'done' : UNPROVEN.message]))
      expect(await strangersMoney(methods)).toEqual(
        sheltered ? { seen: MONEY, revenue: true } : { seen: [], revenue: false },
      )
    }
  })

  test('no function for treasurers and super-admins does anything before that is asked', async () => {
    const calls = await sql<{ call: string }>`select format('select public.%I(%s)', exposed.proname, (
        select string_agg('null::' || t::regtype, ', ') from unnest(exposed.proargtypes::oid[]) as t)) as call
      from pg_proc as exposed join pg_proc as body on body.proname = exposed.proname
      where exposed.pronamespace = 'public'::regnamespace and body.pronamespace = 'private'::regnamespace
        and body.prosrc ~ 'require_treasurer|private\\.proven' order by 1`
    expect(calls.length).toBeGreaterThan(10)
    const me = signedInWith(db, sofia, ['password'])
    const open: string[] = []
    for (const { call } of calls) {
      const refused = await me.run(call).then(
        () => null,
        (error: Error) => error.message,
      )
      if (refused !== UNPROVEN.message) open.push(call)
    }
    expect(open).toEqual(sheltered ? calls.map(({ call }) => call) : [])
  })

  test.each(['totp', 'passkey', 'mfa/recovery_code'])('%s opens both', async (method) => {
    expect(await outcomes([method, 'password'])).toEqual(new Set(['done']))
    expect(await strangersMoney([method])).toEqual({ seen: MONEY, revenue: true })
  })

  test('nobody is told of a second factor who has no role', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const refusal = await refusalOf(signedInWith(db, zoe, ['password']).sql`select wallet_overview()`)
    expect(refusal).toEqual(denied('Only an admin can do this'))
  })
})
