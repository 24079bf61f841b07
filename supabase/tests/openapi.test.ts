// openapi.json, the promise to people's own programs, is valid and complete, and breaking changes are noticed.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { breaks, isSamePromise, type OpenApi, type Operation, type Schema } from '../generate/promise.ts'
import { renderOpenApi } from '../generate/render-openapi.ts'
import { readSchemas } from '../generate/schemas.ts'
import { ownDatabase } from './people.ts'

const { db } = await ownDatabase()
const promised: OpenApi = JSON.parse(
  await readFile(join(import.meta.dirname, '../../web/public/openapi.json'), 'utf8'),
)

test('the document is valid, and each call has its scope', async () => {
  expect(await new Validator().validate(structuredClone(promised))).toEqual({ valid: true })
  const calls = await db.query<{ call: string }>(
    `select scope || ': ' || request as call from private.api_calls`,
  )
  const operations = Object.entries(promised.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ call: `${method.toUpperCase()} ${path}`, ...one })),
  )
  // One of the listed scopes is enough for a call.
  const asked = operations.flatMap(({ call, security = [] }) =>
    security.map(({ token }) => `${token}: ${call}`),
  )
  expect(asked.sort()).toEqual(calls.map(({ call }) => call).sort())
})

test('a call, a column or a parameter without a text is refused, as is a reading that would change something', async () => {
  const schemas = await readSchemas()
  const render = (from: string, to: string) =>
    renderOpenApi(
      db,
      schemas.map(({ path, sql }) => ({ path, sql: sql.replace(from, to) })),
      undefined,
    )
  await expect(render('  -- The text of the message.\n', '')).rejects.toThrow('messages.content: no text')
  await expect(render('  -- Only of this category.\n', '')).rejects.toThrow(
    'market_plans(p_category): no text',
  )
  await expect(render('-- Rejects a pending request. Owner only.\n', '')).rejects.toThrow(
    'reject_subscription_request(): no text',
  )
  await expect(render('  -- The text of the message.\n', '  -- See private.x().\n')).rejects.toThrow(
    'messages.content: See',
  )
  await db.query(
    `update private.api_calls set request = 'GET /rpc/join_waiting_list' where request = 'POST /rpc/join_waiting_list'`,
  )
  await expect(render('', '')).rejects.toThrow('GET /rpc/join_waiting_list changes something')
})

const row = (document: OpenApi, name = 'subscription_requests') =>
  document.components?.schemas?.[name] as Schema & { properties: Record<string, Schema> }
const post = (document: OpenApi) => document.paths['/rpc/approve_subscription_request']?.post as Operation
const asked = (document: OpenApi) =>
  post(document).requestBody?.content?.['application/json']?.schema as Schema & {
    properties: Record<string, Schema>
  }
const list = (document: OpenApi) => document.paths['/subscription_requests']?.get as Operation

test.each<[what: string, change: (one: OpenApi) => unknown, said: RegExp | null]>([
  ['a path', (one) => delete one.paths['/messages'], /^GET \/messages is gone\nPOST \/messages is gone$/],
  ['a method', (one) => delete one.paths['/messages']?.post, /^POST \/messages is gone$/],
  [
    'a scope',
    (one) => Object.assign(list(one), { security: [{ token: ['read money'] }] }),
    /needs another scope: read money/,
  ],
  [
    'a scope more',
    (one) => Object.assign(list(one), { security: [{ token: ['read plans', 'chat'] }] }),
    /needs another scope/,
  ],
  ['a column', (one) => delete row(one).properties.message, /the answer\.message is gone/],
  ['a column that may be missing', (one) => (row(one).required = []), /the answer\.name may be missing/],
  [
    'a type',
    (one) => Object.assign(row(one).properties.message ?? {}, { type: 'number' }),
    /the answer\.message was string and is number/,
  ],
  [
    'null where there was none',
    (one) => Object.assign(row(one).properties.message ?? {}, { type: ['string', 'null'] }),
    /the answer\.message was string and is string or null/,
  ],
  [
    'a format',
    (one) => Object.assign(row(one).properties.requested_at ?? {}, { format: 'date' }),
    /was date-time and is date/,
  ],
  [
    'a value of answers',
    (one) => row(one).properties.status?.enum?.pop(),
    /status can no longer be "cancelled"/,
  ],
  [
    'all values of answers',
    (one) => delete row(one).properties.status?.enum,
    /no longer limited to known values/,
  ],
  [
    'a value that is sent',
    (one) => row(one, 'changed_subscription_requests').properties.status?.enum?.pop(),
    /what is sent\.status can no longer be/,
  ],
  ['an argument', (one) => delete asked(one).properties.p_request_id, /what is sent\.p_request_id is gone/],
  [
    'an argument that has to be sent',
    (one) => asked(one).required?.push('p_why'),
    /what is sent\.p_why has to be sent/,
  ],
  ['a filter', (one) => list(one).parameters?.splice(0, 1), /query id is gone/],
  [
    'a parameter that has to be sent',
    (one) => list(one).parameters?.push({ name: 'why', in: 'query', required: true, schema: {} }),
    /query why has to be sent/,
  ],
  ['an answer', (one) => delete post(one).responses['200'], /no longer answers 200/],
  ['a word', (one) => Object.assign(row(one).properties.message ?? {}, { description: 'Else.' }), null],
])('a promise that loses or changes %s', (_what, change, said) => {
  const after = structuredClone(promised)
  change(after)
  expect(breaks(promised, after).join('\n')).toMatch(said ?? /^$/m)
  expect(breaks(promised, after).length > 0).toBe(said !== null)
  expect(isSamePromise(promised, after)).toBe(said === null)
})

test('what is added breaks nothing, and is a new version', () => {
  const after = structuredClone(promised)
  after.paths['/new'] = { get: list(after) }
  row(after).properties.more = { type: 'string' }
  row(after).properties.status?.enum?.push('more')
  asked(after).properties.p_more = { type: 'string' }
  list(after).parameters?.push({ name: 'more', in: 'query', schema: {} })
  expect(breaks(promised, after)).toEqual([])
  expect(isSamePromise(promised, after)).toBe(false)
  // Compared in the opposite direction, the earlier promise lacks parts of the later one.
  expect(breaks(after, promised).length).toBeGreaterThan(3)
})
