// The screens' queries to the backend, through the app's own client.
// Proves DATA 05 06, API 07-12 17
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { beforeAll, expect, it } from 'vitest'
import { membersQuery } from '#features/joining/memberships/memberships.queries.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { openApp } from '../app.tsx'
import { ask, join, newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
let olivia: TestUser
let marc: TestUser
let zoe: TestUser
let planId: string
let requestId: string

// Zoe has had a place in one of Olivia's two plans for a year, Marc since today. Marc has asked for a place in the
// other plan and shares one himself.
beforeAll(async () => {
  ;({ olivia, marc, zoe } = await newPeople(server))
  planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await join(olivia, zoe, planId)
  await server.db.query(
    `update public.subscription_members set joined_at = now() - interval '1 year' where user_id = $1::uuid`,
    [zoe.id],
  )
  requestId = await ask(marc, await sharePlan(olivia, 2, 'spotify-premium-duo'), 'May I?')
  await ask(olivia, await sharePlan(marc, 4, 'youtube-premium-family'))
})

const newest = { ascending: false }

it('plans: whole, by owner, by id, by owner and provider, or without an owner, newest first', async () => {
  const plans = () => olivia.client.from('shared_subscriptions').select('*')
  const named = async (query: PromiseLike<{ data: { provider: string }[] | null }>) =>
    (await query).data?.map(({ provider }) => provider)
  const own = plans().eq('owner_id', olivia.id)
  expect((await own.order('created_at', newest)).data).toMatchObject([
    { provider: 'Spotify', name: 'Premium Duo', currency: 'EUR', max_members: 2, current_members: 1 },
    { provider: 'Netflix', name: 'Premium' },
  ])
  expect(await named(plans().eq('id', planId))).toEqual(['Netflix'])
  expect(await named(plans().eq('owner_id', olivia.id).eq('provider', 'Spotify'))).toEqual(['Spotify'])
  const ofOthers = await named(plans().neq('owner_id', olivia.id).order('created_at', newest))
  expect(ofOthers?.[0]).toBe('YouTube Premium')
})

it('memberships: a person’s with their plans, the own ones left out; and by plan and person', async () => {
  const memberships = () => marc.client.from('subscription_members')
  const { data } = await memberships()
    .select('subscription_id, joined_at, plan:shared_subscriptions(*)')
    .eq('user_id', marc.id)
    .not('is_owner', 'is', true)
  expect(data).toEqual([
    {
      subscription_id: planId,
      joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      plan: expect.objectContaining({ id: planId, provider: 'Netflix', current_members: 3 }),
    },
  ])
  const found = () => memberships().select('subscription_id').eq('user_id', marc.id)
  expect((await found().eq('subscription_id', planId)).data).toEqual([{ subscription_id: planId }])
  expect((await found()).data).toHaveLength(2)
})

it('members of a plan: owner first, then earliest joined, with name and picture, and as they are on screen', async () => {
  const profile = { display_name: 'Marc the Great', avatar_url: '/avatars/avatar-3.svg' }
  await marc.client.from('user_profiles').update(profile).eq('user_id', marc.id).throwOnError()
  const { data } = await olivia.client
    .from('subscription_members')
    .select('*, profile:user_profiles(display_name, avatar_url)')
    .eq('subscription_id', planId)
    .order('is_owner', { ascending: false })
    .order('joined_at', { ascending: true })
  expect(data?.map(({ user_id }) => user_id)).toEqual([olivia.id, zoe.id, marc.id])
  const name = expect.stringMatching(/^marc\d+$/)
  expect(data?.[2]).toEqual({
    ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), subscription_id: planId, user_id: marc.id, name },
    ...{ email: marc.email, is_owner: false, joined_at: expect.any(String), profile },
  })
  await openApp(server, '/about', { as: olivia })
  const [owner, , member] = await createQueryClient().fetchQuery(membersQuery(planId))
  expect(owner).toMatchObject({ userId: olivia.id, isOwner: true, isAdmin: true, avatarUrl: null })
  expect(member).toEqual({
    ...{ userId: marc.id, name, displayName: 'Marc the Great', email: marc.email },
    ...{ avatarUrl: '/avatars/avatar-3.svg', isOwner: false, isAdmin: false },
    joinedAt: expect.stringMatching(/^\d{4}-/),
  })
})

it('join requests: one’s own pending ones with their plan, and those for the plans owned', async () => {
  const requests = ({ client }: TestUser) =>
    client
      .from('subscription_requests')
      .select(
        'id, subscription_id, name, email, message, requested_at, status, plan:shared_subscriptions!inner(*)',
      )
      .eq('status', 'pending')
  const expected = [
    {
      ...{ id: requestId, subscription_id: expect.any(String), name: expect.stringMatching(/^marc/) },
      ...{ email: marc.email, message: 'May I?', requested_at: expect.any(String), status: 'pending' },
      plan: expect.objectContaining({ owner_id: olivia.id, provider: 'Spotify', name: 'Premium Duo' }),
    },
  ]
  expect((await requests(marc).eq('user_id', marc.id).throwOnError()).data).toEqual(expected)
  expect((await requests(olivia).eq('plan.owner_id', olivia.id).throwOnError()).data).toEqual(expected)
})

it('notifications: all of one’s own, newest first, without pages', async () => {
  await server.db.query(
    `insert into public.user_notifications (user_id, type, title, message, created_at)
     select $1::uuid, 'info', 'News ' || n, 'Text', now() - n * interval '1 minute' from generate_series(1, 150) as n`,
    [zoe.id],
  )
  const read = ({ client }: TestUser) =>
    client.from('user_notifications').select('*').eq('user_id', zoe.id).like('title', 'News %')
  const { data } = await read(zoe).order('created_at', newest).throwOnError()
  expect(data.map(({ title }) => title)).toEqual(Array.from({ length: 150 }, (_, n) => `News ${n + 1}`))
  expect((await read(marc).throwOnError()).data).toEqual([])
})
