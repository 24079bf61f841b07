// Bad input in the shapes that only a request has.
import { beforeAll, expect, test } from 'vitest'
import { addUser, type TestUser, testServer } from '../../../server/test/harness.ts'

const server = await testServer()
let olivia: TestUser
beforeAll(async () => {
  olivia = await addUser(server, 'olivia@potluck.example')
})

const plan = { catalogue_plan_id: 'netflix-premium', owner_max_members: 4, next_payment: '2000-01-01' }
const request = {
  provider_name: 'Mubi',
  category: 'Streaming',
  website_url: 'https://mubi.com',
  description: 'Films chosen by hand.',
  plans_data: [{ plan_name: 'Solo', price: 9.99, billing_cycle: 'monthly', max_members: 2 }],
}

type Case = [what: string, table: string, row: object, status: number, code: string, message: string | RegExp]
const offered = (price: unknown) => ({ ...request, plans_data: [{ ...request.plans_data[0], price }] })
const FAR = 'Please enter next renewal date.'
const LONG = 'Provider name can be at most 100 characters'
const NO_DATE = /^invalid input syntax for type date/
const cases: Case[] = [
  ['the year 9999', 'shared_subscriptions', { ...plan, next_payment: '9999-12-31' }, 400, '23514', FAR],
  ['the year 2000', 'shared_subscriptions', plan, 400, '23514', 'Renewal date cannot be in the past.'],
  ['true for a date', 'shared_subscriptions', { ...plan, next_payment: true }, 400, '22007', NO_DATE],
  [
    'an object for a date',
    'shared_subscriptions',
    { ...plan, next_payment: { year: 1 } },
    400,
    '22007',
    NO_DATE,
  ],
  [
    'words for a number',
    'shared_subscriptions',
    { ...plan, owner_max_members: 'many' },
    400,
    '22P02',
    /integer/,
  ],
  ['an unknown column', 'shared_subscriptions', { ...plan, nickname: 'x' }, 400, 'PGRST204', /nickname/],
  ['a price of NaN', 'provider_requests', offered(Number.NaN), 400, '23514', 'Price must be positive'],
  ['a price as a text', 'provider_requests', offered('9.99'), 400, '23514', 'Price must be positive'],
  [
    'a long text',
    'provider_requests',
    { ...request, provider_name: 'x'.repeat(900_000) },
    400,
    '23514',
    LONG,
  ],
  ['a NUL', 'provider_requests', { ...request, provider_name: 'Mu\0bi' }, 400, '22P05', /Unicode/],
  [
    'a megabyte',
    'provider_requests',
    { x: 'x'.repeat(1_048_576) },
    413,
    'PGRST102',
    'Request body too large',
  ],
  [
    'a number for a plan',
    'subscription_requests',
    { subscription_id: 7 },
    404,
    'PT404',
    'Subscription not found',
  ],
  [
    'a list for a plan',
    'subscription_requests',
    { subscription_id: ['a'] },
    404,
    'PT404',
    'Subscription not found',
  ],
  ['a number for an id', 'messages', { conversation_id: 7, content: 'Hi' }, 400, '22P02', /uuid/],
]

test.each(cases)('%s is refused and not stored', async (...given) => {
  const [, table, row, status, code, message] = given
  const { error, status: answered } = await olivia.client.from(table).insert(row)
  expect([answered, error?.code]).toEqual([status, code])
  expect(error?.message).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message)
  const [stored] = await server.db.query(
    `select (select count(*)::int from shared_subscriptions) as plans,
       (select count(*)::int from provider_requests) as requests,
       (select count(*)::int from subscription_requests) as asked, (select count(*)::int from messages) as said`,
  )
  expect(stored).toEqual({ plans: 0, requests: 0, asked: 0, said: 0 })
})

test('a plan id of another shape finds nothing, in an address as in a call', async () => {
  for (const id of ['', '<script>', '"', 'sub-1,id.neq.x', '%', '../auth', '\u202e', '👨‍👩‍👧‍👦'])
    expect(await olivia.client.from('shared_subscriptions').select('id').eq('id', id)).toMatchObject({
      data: [],
      status: 200,
    })
})
