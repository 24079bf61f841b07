// The main story, by two programs and a client made from openapi.json: a call that openapi.json no longer promises has
// no types, so this file no longer compiles.
import createClient from 'openapi-fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { turnLimits } from '../../../server/src/db/turns.ts'
import { eventually } from '../../../server/test/eventually.ts'
import type { paths } from '../../openapi.types.ts'
import { single } from '../answers.ts'
import { addPeople, type Person } from '../people.ts'
import { letIn } from '../plans.ts'
import { type Host, openHost } from './hosts.ts'

let host: Host
beforeAll(async () => {
  host = await openHost('our server', 'api', {}, { sheltered: true })
})
afterAll(() => host.close())

const program = async (person: Person) => {
  const token = await single<string>(
    person.sql`select make_api_token('Program', '{read plans,write plans,read money,chat}', 1)`,
  )
  return createClient<paths>({
    baseUrl: `${host.server.url}/functions/v1/api`,
    headers: { authorization: `Bearer ${token}` },
  })
}
const stored = { header: { Prefer: 'return=representation' } } as const
const in30Days = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

test('Ana shares a plan, Ben finds it and asks, is let in, sees what is due, and both talk', async () => {
  const people = await addPeople(host.server.db, ['Ana', 'Ben'])
  const [ana, ben] = [await program(people[0]), await program(people[1])]
  // Only the app can do this: Ana says how she is paid, and later gives access.
  await people[0].sql`insert into payment_wishes (kind, note) values ('text', 'In cash')`

  const catalogue = await ana.GET('/service_provider_data', { params: { query: { is_current: 'is.true' } } })
  const netflix = catalogue.data?.[0]?.data.find(({ id }) => id === 'netflix')
  const sold = netflix?.plans.find(({ id }) => id === 'netflix-premium')
  const shared = await ana.POST('/shared_subscriptions', {
    params: stored,
    body: { catalogue_plan_id: sold?.id ?? '', next_payment: in30Days(), owner_max_members: 3 },
  })
  expect(shared.error).toBeUndefined()
  const { id: plan = '', owner_id = '' } = shared.data?.[0] ?? {}

  const found = await ben.GET('/rpc/market_plans', {
    params: { query: { p_search: 'netflix', p_settlement: 'direct' } },
  })
  expect(found.data?.map(({ id, ownerName, hasRoom }) => ({ id, ownerName, hasRoom }))).toEqual([
    { id: plan, ownerName: 'Ana', hasRoom: true },
  ])
  const asked = await ben.POST('/subscription_requests', {
    params: stored,
    body: { subscription_id: plan, message: 'Room for me?' },
  })
  const me = asked.data?.[0]?.user_id ?? ''

  const waiting = await ana.POST('/rpc/get_pending_requests_with_expiry', {
    body: { p_subscription_id: plan },
  })
  const [request] = waiting.data ?? []
  expect(request).toMatchObject({ name: 'Ben', message: 'Room for me?', expires_in_hours: 48 })
  const approved = await ana.POST('/rpc/approve_subscription_request', {
    body: { p_request_id: request?.id ?? '', p_subscription_id: plan },
  })
  expect(approved.error).toBeUndefined()
  expect(approved.data?.displayName).toBe('Ben')
  const again = await ana.POST('/rpc/approve_subscription_request', {
    body: { p_request_id: request?.id ?? '', p_subscription_id: plan },
  })
  expect(again.error?.message).toContain('request')
  await letIn(host.server.db)

  const seats = await ben.GET('/rpc/my_seats', { params: { query: { status: 'neq.ended', limit: 1 } } })
  expect(
    seats.data?.map(({ subscription_id, owner_name, status }) => [subscription_id, owner_name, status]),
  ).toEqual([[plan, 'Ana', 'active']])
  const due = await ben.GET('/member_payments', { params: { query: { status: 'eq.due', order: 'due_at' } } })
  expect(due.data?.map(({ amount, settlement }) => [amount, settlement])).toEqual([
    [seats.data?.[0]?.share, 'direct'],
  ])
  const totals = await ana.GET('/rpc/payment_totals', { params: { query: { p_as_owner: true } } })
  expect(totals.data?.[0]?.due).toBe(due.data?.[0]?.share)

  const chat = await ben.POST('/rpc/find_or_create_conversation', {
    body: { p_subscription_id: plan, p_owner_id: owner_id, p_member_id: me },
  })
  const talk = async (one: typeof ana, content: string) => {
    const { response } = await one.POST('/messages', { body: { conversation_id: chat.data ?? '', content } })
    expect(response.status).toBe(201)
  }
  await talk(ben, 'Hello')
  await talk(ana, 'Welcome')
  const messages = await ana.GET('/messages', {
    params: { query: { conversation_id: `eq.${chat.data}`, message_type: 'eq.user', order: 'created_at' } },
  })
  expect(messages.data?.map(({ sender_id, content }) => [sender_id, content])).toEqual([
    [me, 'Hello'],
    [owner_id, 'Welcome'],
  ])

  const news = () =>
    ben.GET('/user_notifications', { params: { query: { read: 'is.false', event: 'eq.request-approved' } } })
  expect((await news()).data).toHaveLength(1)
  await ben.POST('/rpc/mark_notifications_as_read', { body: { p_user_id: me } })
  expect((await news()).data).toEqual([])
})

test('a program that calls without end waits alone', async () => {
  const [busy, calm] = await addPeople(host.server.db, ['Busy', 'Calm'])
  // Two tokens of one person share one allowance.
  const [many, more, one] = [await program(busy), await program(busy), await program(calm)]
  // The embedded database has one connection, which the test would hold.
  if (host.server.db.kind !== 'postgres') return
  const before = (await host.server.db.query('select from private.api_tickets')).length
  const asked = await host.server.db.transaction(async (tx) => {
    await tx.query('lock table messages in access exclusive mode')
    const waiting = Array.from({ length: 30 }, (_, nth) => (nth % 2 ? many : more).GET('/messages'))
    await eventually(async () => {
      const admitted = await host.server.db.query('select from private.api_tickets')
      const metrics = await (await fetch(`${host.server.url}/metrics`)).text()
      const { share } = turnLimits(host.server.db.places)
      expect([admitted.length, /data_requests{state="waiting"} (\d+)/.exec(metrics)?.[1]]).toEqual([
        before + 30,
        `${30 - share}`,
      ])
    })
    expect((await one.GET('/user_notifications')).response.status).toBe(200)
    return { waiting }
  })
  const statuses = (await Promise.all(asked.waiting)).map(({ response }) => response.status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})
