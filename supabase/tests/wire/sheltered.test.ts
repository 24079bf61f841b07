// Only the server itself, and no request, can declare the site sheltered (out of other people's reach).
// Proves SAFE 05
import { describe, expect, test } from 'vitest'
import { addUser, testServer } from '../../../server/test/harness.ts'

describe.each([true, false])('a server that is sheltered: %s', async (sheltered) => {
  const server = await testServer({}, { sheltered })
  const seen = async () => (await server.db.query('select private.is_sheltered() as here'))[0]?.here

  test('says so to the database, and no request says otherwise', async () => {
    expect(await seen()).toBe(sheltered)
    const { accessToken, client } = await addUser(server, 'zoe@potluck.example')
    const setting = {
      setting_name: 'app.settings.sheltered',
      new_value: sheltered ? 'off' : 'on',
      is_local: false,
    }
    for (const profile of ['public', 'pg_catalog', 'private']) {
      const answer = await fetch(`${server.url}/rest/v1/rpc/set_config`, {
        method: 'POST',
        headers: {
          apikey: server.anonKey,
          Authorization: `Bearer ${accessToken}`,
          'Content-Type': 'application/json',
          'Content-Profile': profile,
          'app.settings.sheltered': setting.new_value,
          Cookie: `app.settings.sheltered=${setting.new_value}`,
        },
        body: JSON.stringify(setting),
      })
      expect([profile, answer.ok]).toEqual([profile, false])
    }
    await client.from('user_profiles').select('user_id').throwOnError()
    expect(await seen()).toBe(sheltered)
  })

  test('is believed rather than what the database was told of all its sessions', async () => {
    const { current_database: name } = (await server.db.query('select current_database()'))[0] ?? {}
    await server.db.query(
      `alter database "${name}" set app.settings.sheltered = '${sheltered ? 'off' : 'on'}'`,
    )
    const all = await Promise.all(Array.from({ length: 20 }, seen))
    expect(new Set(all)).toEqual(new Set([sheltered]))
  })
})
