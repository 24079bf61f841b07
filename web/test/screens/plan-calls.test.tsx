// What the screens ask the backend for, with the client they use, over the real server.
import { testServer } from '@potluck/server/test/harness.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { membersQuery } from '#features/memberships/memberships.queries.ts'
import { planPageQuery } from '#features/plans/plans.queries.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { openApp } from '../app.tsx'
import { intercept } from '../network.ts'
import { join, newPeople, type People, password, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const connect = (who: keyof People) =>
  openApp(server, '/about', { as: { email: people[who].email, password } })
const named = (rows: { name: string }[] | null) => rows?.map(({ name }) => name)

describe('the plans', () => {
  it('are read whole by owner, by id, by owner and provider, or without an owner, newest first', async () => {
    await sharePlan(people.olivia, 2, 'spotify-premium-duo')
    await sharePlan(people.marc, 4, 'youtube-premium-family')
    const plans = () => people.olivia.client.from('shared_subscriptions').select('*')
    const newest = { ascending: false }
    const own = await plans().eq('owner_id', people.olivia.id).order('created_at', newest)
    expect(named(own.data)).toEqual(['Premium Duo', 'Premium'])
    expect(own.data?.[0]).toMatchObject({
      provider: 'Spotify',
      currency: 'EUR',
      max_members: 2,
      current_members: 1,
    })
    expect(named((await plans().eq('id', planId)).data)).toEqual(['Premium'])
    const ofProvider = await plans().eq('owner_id', people.olivia.id).eq('provider', 'Spotify')
    expect(named(ofProvider.data)).toEqual(['Premium Duo'])
    const others = await plans().neq('owner_id', people.olivia.id).order('created_at', newest)
    expect(others.data?.[0]).toMatchObject({ owner_id: people.marc.id })
    expect(others.data?.map(({ owner_id }) => owner_id)).not.toContain(people.olivia.id)
    const all = (await plans().order('created_at', newest)).data?.map(({ created_at }) => created_at) ?? []
    expect(all.length).toBeGreaterThanOrEqual(3)
    expect(all).toEqual([...all].sort().reverse())
  })
})

describe('the memberships', () => {
  it('of a person come with their plans, the own ones left out', async () => {
    await sharePlan(people.marc, 4, 'youtube-premium-family')
    await join(people.olivia, people.marc, planId)
    const { data } = await people.marc.client
      .from('subscription_members')
      .select('subscription_id, joined_at, plan:shared_subscriptions(*)')
      .eq('user_id', people.marc.id)
      .not('is_owner', 'is', true)
    expect(data).toEqual([
      {
        subscription_id: planId,
        joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        plan: expect.objectContaining({ id: planId, provider: 'Netflix', current_members: 2 }),
      },
    ])
  })

  it('of a plan come owner first, then earliest joined, with name and picture', async () => {
    await join(people.olivia, people.marc, planId)
    await join(people.olivia, people.zoe, planId)
    await server.db.query(
      `update public.subscription_members set joined_at = now() - interval '1 year' where user_id = $1::uuid`,
      [people.zoe.id],
    )
    const { data } = await people.olivia.client
      .from('subscription_members')
      .select('*, profile:user_profiles(display_name, avatar_url)')
      .eq('subscription_id', planId)
      .order('is_owner', { ascending: false })
      .order('joined_at', { ascending: true })
    expect(data?.map(({ user_id }) => user_id)).toEqual([people.olivia.id, people.zoe.id, people.marc.id])
    expect(data?.[2]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      subscription_id: planId,
      user_id: people.marc.id,
      name: expect.stringMatching(/^marc/),
      email: people.marc.email,
      is_owner: false,
      joined_at: expect.any(String),
      profile: { display_name: expect.stringMatching(/^marc/), avatar_url: null },
    })
  })

  it('are found by plan and person, and by person alone', async () => {
    await join(people.olivia, people.marc, planId)
    const rows = () => people.marc.client.from('subscription_members').select('subscription_id')
    expect((await rows().eq('subscription_id', planId).eq('user_id', people.marc.id)).data).toEqual([
      { subscription_id: planId },
    ])
    expect((await rows().eq('subscription_id', planId).eq('user_id', people.zoe.id)).data).toEqual([])
    expect((await rows().eq('user_id', people.marc.id)).data).toEqual([{ subscription_id: planId }])
  })

  it('of what is no UUID are refused before any profile is looked at', async () => {
    const { error } = await people.olivia.client
      .from('subscription_members')
      .select('user_id, profile:user_profiles(display_name)')
      .eq('user_id', "marc' or '1'='1")
    expect(error).toMatchObject({ code: '22P02' })
  })
})

describe('on screen', () => {
  it('a member has name, displayName, email, avatarUrl, isOwner and isAdmin', async () => {
    await join(people.olivia, people.marc, planId)
    const profile = { display_name: 'Marc the Great', avatar_url: '/avatars/avatar-3.svg' }
    await people.marc.client
      .from('user_profiles')
      .update(profile)
      .eq('user_id', people.marc.id)
      .throwOnError()
    await connect('olivia')
    const members = await createQueryClient().fetchQuery(membersQuery(planId))
    expect(members).toEqual([
      expect.objectContaining({ userId: people.olivia.id, isOwner: true, isAdmin: true, avatarUrl: null }),
      {
        userId: people.marc.id,
        name: expect.stringMatching(/^marc\d+$/),
        displayName: 'Marc the Great',
        email: people.marc.email,
        avatarUrl: '/avatars/avatar-3.svg',
        isOwner: false,
        isAdmin: false,
        joinedAt: expect.stringMatching(/^\d{4}-/),
      },
    ])
  })

  it('a plan has its price per cycle and what the person is to it', async () => {
    const yearly = await sharePlan(people.olivia, 4, 'nordvpn-standard-2-year')
    await connect('olivia')
    const page = await createQueryClient().fetchQuery(planPageQuery(yearly, people.olivia.id))
    expect(page.relation).toBe('owner')
    expect(page.plan).toMatchObject({ totalPrice: 35.88, memberPrice: 3.59, cycle: 'yearly' })
    const strange = await createQueryClient().fetchQuery(planPageQuery(yearly, people.zoe.id))
    expect(strange.plan).toMatchObject({ id: yearly })
  })

  it('a plan stays good for 5 minutes and its members for 3', async () => {
    await connect('olivia')
    const { sent: plans } = intercept('GET /rest/v1/shared_subscriptions?')
    const { sent: members } = intercept('GET /rest/v1/subscription_members?select=user_id%2Cname')
    const cache = createQueryClient()
    const load = async () => {
      await cache.fetchQuery(planPageQuery(planId, people.olivia.id))
      await cache.fetchQuery(membersQuery(planId))
      return [plans.length, members.length]
    }
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const start = Date.now()
      const after = (ms: number) => {
        vi.setSystemTime(start + ms)
        return load()
      }
      expect(await after(0)).toEqual([1, 1])
      expect(await after(1999)).toEqual([1, 1])
      expect(await after(179_000)).toEqual([1, 1])
      expect(await after(181_000)).toEqual([1, 2])
      expect(await after(299_000)).toEqual([1, 2])
      expect(await after(301_000)).toEqual([2, 2])
    } finally {
      vi.useRealTimers()
    }
  })
})
