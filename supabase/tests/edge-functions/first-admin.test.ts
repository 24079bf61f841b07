// The one-time link that makes a new site's first super-admin.
// Proves ROLE 01
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../../server/test/harness.ts'
import { HOSTS, type Host, openHost } from './hosts.ts'

const NEW = { name: 'Sofia', email: 'sofia@potluck.example', password: 'Long-enough-1!' }
const OVER = {
  code: 'PT410',
  details: null,
  hint: 'first_admin_address_over',
  message: 'This address no longer works. Restart the site for a new one.',
}

describe.each(HOSTS)('the function first-admin in %s', (name) => {
  let host: Host
  beforeAll(async () => {
    host = await openHost(name, 'first-admin', {})
  })
  beforeEach(async () => {
    // Disables the trigger, which would not let the last super-admin be removed.
    await host.server.db.query('alter table user_roles disable trigger guard')
    await host.server.db.query('delete from auth.users')
    await host.server.db.query('alter table user_roles enable trigger guard')
  })
  afterAll(() => host.close())

  const open = async (key = host.server.serviceKey) =>
    (await host.call({ method: 'POST', path: '/open', headers: { Authorization: `Bearer ${key}` } })).json()
  const secret = async () => String((await open()).notice).split('#token=')[1]
  const become = async (body: object, key = host.server.anonKey) => {
    const answer = await host.call({
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
    return [answer.status, await answer.json()]
  }
  const roles = () =>
    host.server.db.query(
      `select u.email, r.role, r.granted_by from user_roles as r join auth.users as u on u.id = r.user_id`,
    )
  const accounts = async () => (await host.server.db.query('select email from auth.users')).length

  test('gives the server alone an address, another at each start, and none once there is a super-admin', async () => {
    expect(await open(host.server.anonKey)).toMatchObject({ code: '42501' })
    expect(await open()).toEqual({
      notice: expect.stringMatching(/ at http:\/\/\S+\/first-admin#token=[0-9a-f]{64}$/),
    })
    const older = await secret()
    expect(await become({ secret: await secret(), ...NEW })).toEqual([200, {}])
    expect(await open()).toEqual({})
    expect(await become({ secret: older, ...NEW, email: 'zoe@potluck.example' })).toEqual([410, OVER])
    expect(await roles()).toEqual([{ email: NEW.email, role: 'super-admin', granted_by: null }])
    // The password that the function sets is the first one, so no mail says that it was changed.
    expect(await host.server.db.query('select kind from private.account_changes')).toEqual([])
  })

  test('lets nobody in who is banned, and a later start replaces an earlier address', async () => {
    const [earlier, address] = [await secret(), await secret()]
    const { id, accessToken } = await addAccount(host.server, 'banned@potluck.example')
    await host.server.db.query(
      `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      [id],
    )
    // A banned person's session calls no function.
    const [status] = await become({ secret: address }, accessToken)
    expect([status, await roles()]).toEqual([401, []])
    expect(await become({ secret: earlier, ...NEW })).toEqual([410, OVER])
    expect(await become({ secret: address, ...NEW })).toEqual([200, {}])
  })

  test('works once, for a confirmed account by the rules of the site, or for whoever is signed in', async () => {
    const address = await secret()
    for (const password of ['short', '', undefined]) {
      const [weak, refusal] = await become({ secret: address, ...NEW, password })
      expect([weak, refusal.code, await accounts()]).toEqual([422, 'weak_password', 0])
    }
    const olivia = await addAccount(host.server, 'olivia@potluck.example')
    const [taken, why] = await become({ secret: address, ...NEW, email: 'olivia@potluck.example' })
    expect([taken, why.code, await roles()]).toEqual([422, 'email_exists', []])
    // If two people open the link at the same time, only the first one succeeds.
    const both = await Promise.all([
      become({ secret: address }, olivia.accessToken),
      become({ secret: address, ...NEW }),
    ])
    expect(both.map(([status]) => status).sort()).toEqual([200, 410])
    expect(await roles()).toHaveLength(1)
    expect(
      (await host.server.db.query('select from auth.users where email_confirmed_at is null')).length,
    ).toBe(0)
  })

  test('ends after 24 hours, with any role of super-admin, and for whoever guesses', async () => {
    const late = await secret()
    await host.server.db.query(`update private.first_admin_address set expires_at = clock_timestamp()`)
    expect(await become({ secret: late, ...NEW })).toEqual([410, OVER])
    const address = await secret()
    for (const guess of ['', undefined, 'x', late])
      expect(await become({ secret: guess, ...NEW })).toEqual([410, OVER])
    const olivia = await addAccount(host.server, 'olivia@potluck.example')
    await host.server.db.query(`select private.ensure_profile($1)`, [olivia.id])
    await host.server.db.query(`insert into user_roles (user_id, role) values ($1, 'super-admin')`, [
      olivia.id,
    ])
    expect(await become({ secret: address, ...NEW })).toEqual([410, OVER])
    expect(await accounts()).toBe(1)
  })
})
