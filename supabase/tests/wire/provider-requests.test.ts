// Provider requests as a browser speaks of them: supabase-js over the real server.
import { expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import { newClient, type TestUser } from '../../../server/test/harness.ts'
import { DENIED, rule } from '../people.ts'
import { listen } from './listening.ts'
import { openSite } from './site.ts'

const { server, ada, sofia, mona, zoe } = await openSite({
  ada: 'admin',
  sofia: 'super-admin',
  mona: 'moderator',
  zoe: null,
})

const PLAN = { plan_name: 'Solo', price: 9.99, billing_cycle: 'monthly', max_members: 2, features: ['HD'] }
const askFor = (person: TestUser, provider_name: string) =>
  person.client
    .from('provider_requests')
    .insert({
      user_id: person.id,
      provider_name,
      category: 'Streaming',
      website_url: 'https://mubi.com',
      description: 'Films chosen by hand.',
      plans_data: [PLAN],
      status: 'pending',
    })
    .select('id')
    .single()
    .throwOnError()
const decide = (person: TestUser, id: string, status: string) =>
  person.client.from('provider_requests').update({ status }).eq('id', id).select('status')
const waiting = (person: Pick<TestUser, 'client'>) => person.client.rpc('get_pending_provider_requests_count')

test('are asked, read newest first, counted and decided', async () => {
  const { data: mubi } = await askFor(zoe, 'Mubi')
  const { data: arte } = await askFor(zoe, 'Arte')
  await askFor(ada, 'Of an admin')
  const read = zoe.client.from('provider_requests').select('*').eq('user_id', zoe.id)
  const { data: own } = await read.order('created_at', { ascending: false }).throwOnError()
  expect(own).toEqual(
    [arte, mubi].map(({ id }, place) => ({
      id,
      user_id: zoe.id,
      provider_name: ['Arte', 'Mubi'][place],
      category: 'Streaming',
      website_url: 'https://mubi.com',
      description: 'Films chosen by hand.',
      plans_data: [PLAN],
      status: 'pending',
      created_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT/),
    })),
  )
  expect((await waiting(ada).throwOnError()).data).toBe(3)
  expect((await decide(ada, mubi.id, 'approved').throwOnError()).data).toEqual([{ status: 'approved' }])
  expect((await decide(sofia, arte.id, 'rejected').throwOnError()).data).toEqual([{ status: 'rejected' }])
  expect((await waiting(sofia).throwOnError()).data).toBe(1)
  for (const person of [zoe, mona]) {
    expect((await waiting(person)).error).toMatchObject(DENIED)
    expect((await decide(person, mubi.id, 'rejected')).data).toEqual([])
  }
  expect((await waiting({ client: newClient(server) })).error).toMatchObject(DENIED)
  expect(await decide(ada, mubi.id, 'rejected')).toMatchObject({
    status: 400,
    error: rule('This request has already been approved'),
  })
})

test('any change reaches admins and the one who asked, and nobody else', async () => {
  const heard = {
    admin: await listen(ada, [{ table: 'provider_requests' }]),
    asker: await listen(zoe, [{ table: 'provider_requests', filter: `user_id=eq.${zoe.id}` }]),
    moderator: await listen(mona, [{ table: 'provider_requests' }]),
  }
  const { data } = await askFor(zoe, 'Kanopy')
  await decide(sofia, data.id, 'approved').throwOnError()
  const row = (status: string) => expect.objectContaining({ provider_name: 'Kanopy', status })
  const expected = [
    { table: 'provider_requests', type: 'INSERT', row: row('pending') },
    { table: 'provider_requests', type: 'UPDATE', row: row('approved') },
  ]
  await eventually(() => expect([heard.admin, heard.asker]).toEqual([expected, expected]))
  // A change they may see comes last, so whatever they should not have heard would be here by now.
  await askFor(mona, 'Of a moderator')
  await eventually(() => expect(heard.moderator).toHaveLength(1))
  expect(heard.moderator.map(({ row: { provider_name } }) => provider_name)).toEqual(['Of a moderator'])
})
