import { afterEach, describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { openLibrary } from './library.ts'

const library = await openLibrary()
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  library.ask(path, { method: 'POST', body, headers })

afterEach(async () => {
  expect(await library.db.query('select key from public.lib_settings')).toEqual([{ key: 'theme' }])
})

describe('a body that cannot be meant is refused', () => {
  const refusals = cases(`
    {"key": | lib_settings | PGRST102 | Empty or invalid json
    "x" | lib_settings | PGRST102 | Empty or invalid json
    [1] | lib_settings | PGRST102 | Empty or invalid json
    [{"key":"a"},{"key":"b","level":1}] | lib_settings | PGRST102 | All object keys must match
    {"key":"a","nope":1} | lib_settings | PGRST204 | Could not find the 'nope' column of 'lib_settings' in the schema cache
    [{"key":"a"}] | lib_settings?columns=key,nope | PGRST204 | Could not find the 'nope' column of 'lib_settings' in the schema cache`)
  test.each([['', 'lib_settings', 'PGRST102', 'Empty or invalid json'], ...refusals])(
    '%s',
    async (body, path, code, message) => {
      const reply = await post(`/${path}`, body)
      expect(reply.status).toBe(400)
      expect(reply.json).toEqual({ code, details: null, hint: null, message })
    },
  )

  test('when it has more than a megabyte, said or unsaid', async () => {
    const big = JSON.stringify({ key: 'a', value: 'x'.repeat(1_100_000) })
    const refused = { status: 413, json: { code: 'PGRST102', hint: null } }
    expect(await post('/lib_settings', big)).toMatchObject(refused)
    const response = await fetch(`${library.url}/rest/v1/lib_settings`, {
      method: 'POST',
      headers: {
        apikey: library.anonKey,
        Authorization: `Bearer ${await library.tokenOf('olivia')}`,
        'Content-Type': 'application/json',
      },
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  test.each([
    ['lib_settings', 'value'],
    ['rpc/lib_echo', 'p_value'],
  ])('by %s when it nests without end', async (path, key) => {
    const deep = `{"${key}":${'['.repeat(6_000)}${']'.repeat(6_000)}}`
    const message = 'The json nests deeper than 500 levels'
    expect(await post(`/${path}`, deep)).toMatchObject({ status: 400, json: { code: 'PGRST102', message } })
  })

  test.each(['lib_books?data=cs.', 'lib_books?data=eq.', 'rpc/lib_echo?p_value='])(
    'and so is %s with JSON that nests without end',
    async (path) => {
      const reply = await library.ask(`/${path}${'['.repeat(6_000)}`)
      expect(reply).toMatchObject({ status: 400, json: { code: 'PGRST100' } })
    },
  )

  test('when it is no JSON by its own account', async () => {
    const reply = await post('/lib_settings', 'key,value', { 'Content-Type': 'text/csv' })
    expect(reply).toMatchObject({ status: 415, json: { code: 'PGRST102' } })
  })
})
