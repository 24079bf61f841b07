// Join requests and notifications through the real client, each call by the names of its parameters.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ask, join, leaveHours, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const decide = (person: TestUser, verb: 'approve' | 'reject', requestId: string) =>
  person.client.rpc(`${verb}_subscription_request`, { p_request_id: requestId, p_subscription_id: planId })
const cancel = (person: TestUser, requestId: string) =>
  person.client
    .from('subscription_requests')
    .update({ status: 'cancelled' })
    .eq('id', requestId)
    .throwOnError()

describe('reading join requests', () => {
  it('gives one’s own pending ones with their plan', async () => {
    const { olivia, marc, zoe } = people
    const id = await ask(marc, planId, 'May I?')
    await ask(zoe, planId)
    const own = () =>
      marc.client
        .from('subscription_requests')
        .select(
          'id, subscription_id, name, email, message, requested_at, status, plan:shared_subscriptions!inner(*)',
        )
        .eq('user_id', marc.id)
        .eq('status', 'pending')
        .throwOnError()
    expect((await own()).data).toEqual([
      {
        id,
        subscription_id: planId,
        name: expect.stringMatching(/^marc/),
        email: marc.email,
        message: 'May I?',
        requested_at: expect.any(String),
        status: 'pending',
        plan: expect.objectContaining({
          id: planId,
          owner_id: olivia.id,
          provider: 'Netflix',
          name: 'Premium',
        }),
      },
    ])
    await decide(olivia, 'reject', id).throwOnError()
    expect((await own()).data).toEqual([])
  })

  it('gives an owner the pending ones for the plans owned, joined through owner_id', async () => {
    const { olivia, marc, zoe } = people
    const other = await sharePlan(zoe)
    const own = await ask(olivia, other)
    const first = await ask(marc, planId)
    const second = await ask(zoe, planId)
    const pending = async () => {
      const { data } = await olivia.client
        .from('subscription_requests')
        .select('id, plan:shared_subscriptions!inner(owner_id)')
        .eq('plan.owner_id', olivia.id)
        .eq('status', 'pending')
        .throwOnError()
      return data.map(({ id }) => id).sort()
    }
    expect(await pending()).toEqual([first, second].sort())
    await cancel(zoe, second)
    expect(await pending()).toEqual([first])
    expect(own).not.toBe(first)
  })

  it('lists the archived ones of a plan for its owner, a person’s own, and nothing for anybody else', async () => {
    const { olivia, marc, zoe } = people
    await join(olivia, marc, planId)
    const old = await ask(zoe, planId)
    await leaveHours(server, old, -1)
    const ofPlan = async (person: TestUser) =>
      (await person.client.rpc('fetch_archived_requests', { p_subscription_id: planId }).throwOnError()).data
    const expired = expect.objectContaining({ id: old, user_id: zoe.id, status: 'pending', expired: true })
    const approved = expect.objectContaining({ user_id: marc.id, status: 'approved' })
    expect(await ofPlan(olivia)).toEqual([approved, expired])
    expect(await ofPlan(marc)).toEqual([])
    const own = zoe.client.rpc('fetch_user_archived_requests', { p_user_id: zoe.id })
    expect((await own.throwOnError()).data).toEqual([expired])
    const others = await marc.client.rpc('fetch_user_archived_requests', { p_user_id: zoe.id })
    expect(others).toMatchObject({ status: 403, error: { code: '42501' } })
  })

  it('gives the open ones with their hours, thirty times a minute', async () => {
    const { olivia, marc, zoe } = people
    const id = await ask(marc, planId, 'May I?')
    await leaveHours(server, id, 7)
    const look = (person: TestUser) =>
      person.client.rpc('get_pending_requests_with_expiry', { p_subscription_id: planId })
    expect((await look(olivia).throwOnError()).data).toEqual([
      expect.objectContaining({
        id,
        name: expect.stringMatching(/^marc/),
        email: marc.email,
        requested_at: expect.any(String),
        message: 'May I?',
        expires_in_hours: 7,
      }),
    ])
    expect(await look(zoe)).toMatchObject({ status: 403, error: { code: '42501' } })
    for (let looked = 1; looked < 30; looked += 1) await look(olivia).throwOnError()
    expect(await look(olivia)).toMatchObject({
      status: 429,
      error: {
        code: 'PT429',
        message: expect.stringMatching(/^Rate limit exceeded\. Please wait ([1-9]|[1-5]\d|60) seconds\.$/),
      },
    })
  })
})

describe('deciding on join requests', () => {
  it('approving gives the new member', async () => {
    const { olivia, marc } = people
    const { data } = await decide(olivia, 'approve', await ask(marc, planId)).throwOnError()
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: marc.id,
      name: expect.stringMatching(/^marc/),
      email: marc.email,
      is_owner: false,
      is_admin: false,
      displayName: expect.stringMatching(/^marc/),
      avatarUrl: null,
    })
  })

  it('rejecting gives nothing, and seats nobody', async () => {
    const { olivia, marc } = people
    const id = await ask(marc, planId)
    expect(await decide(marc, 'reject', id)).toMatchObject({ status: 403, error: { code: '42501' } })
    const answer = await decide(olivia, 'reject', id).throwOnError()
    expect([answer.status, answer.data]).toEqual([204, null])
    const { data } = await marc.client
      .from('subscription_requests')
      .select('status')
      .eq('id', id)
      .throwOnError()
    expect(data).toEqual([{ status: 'rejected' }])
    const seats = await olivia.client
      .from('subscription_members')
      .select('user_id')
      .eq('subscription_id', planId)
    expect(seats.data).toEqual([{ user_id: olivia.id }])
  })

  it('says whether one has asked, and whether one is a member', async () => {
    const { olivia, marc } = people
    const check = async (what: 'request' | 'membership') => {
      const names = { p_subscription_id: planId, p_user_id: marc.id }
      return (await marc.client.rpc(`check_existing_subscription_${what}`, names).throwOnError()).data
    }
    expect([await check('request'), await check('membership')]).toEqual([false, false])
    const id = await ask(marc, planId)
    expect([await check('request'), await check('membership')]).toEqual([true, false])
    await decide(olivia, 'approve', id).throwOnError()
    expect([await check('request'), await check('membership')]).toEqual([false, true])
  })
})

describe('notifications', () => {
  const write = (person: TestUser, many: number) =>
    server.db.query(
      `insert into public.user_notifications (user_id, type, title, message, created_at)
       select $1::uuid, 'info', 'News ' || n, 'Text', now() - n * interval '1 minute'
       from generate_series(1, $2::int) as n`,
      [person.id, String(many)],
    )

  it('gives all of one’s own, newest first, without pages', async () => {
    const { marc, zoe } = people
    await write(marc, 150)
    await write(zoe, 1)
    const { data } = await marc.client
      .from('user_notifications')
      .select('*')
      .eq('user_id', marc.id)
      .order('created_at', { ascending: false })
      .throwOnError()
    expect(data.map(({ title }) => title)).toEqual(Array.from({ length: 150 }, (_, n) => `News ${n + 1}`))
    expect(data[0]).toMatchObject({
      id: expect.any(String),
      user_id: marc.id,
      type: 'info',
      title: 'News 1',
      message: 'Text',
      read: false,
      created_at: expect.any(String),
    })
    const others = await marc.client
      .from('user_notifications')
      .select('*')
      .eq('user_id', zoe.id)
      .throwOnError()
    expect(others.data).toEqual([])
  })

  it('marks a list of ids read, or all of them for null', async () => {
    const { marc, zoe } = people
    await write(marc, 3)
    const unread = async () => {
      const own = marc.client.from('user_notifications').select('id, title').eq('read', false)
      return (await own.order('created_at', { ascending: false }).throwOnError()).data
    }
    const [first, second] = await unread()
    const mark = (person: TestUser, ids: unknown[] | null) =>
      person.client.rpc('mark_notifications_as_read', { p_user_id: marc.id, p_notification_ids: ids })
    await mark(marc, [first?.id]).throwOnError()
    expect((await unread()).map(({ title }) => title)).toEqual(['News 2', 'News 3'])
    expect(await mark(zoe, [second?.id])).toMatchObject({ status: 403, error: { code: '42501' } })
    expect(await unread()).toHaveLength(2)
    await mark(marc, null).throwOnError()
    expect(await unread()).toEqual([])
  })
})

describe('live', () => {
  /** What arrives on a channel of one's own, by event. */
  const follow = async (
    person: TestUser,
    topic: string,
    filter: { table: string; filter?: string; event?: string },
  ) => {
    const heard: string[] = []
    await new Promise<void>((joined, failed) => {
      person.client
        .channel(topic)
        .on(
          'postgres_changes' as never,
          { event: '*', schema: 'public', ...filter } as never,
          (change: { eventType: string; new: { status?: string; title?: string; read?: boolean } }) => {
            const { status, title, read } = change.new
            heard.push(
              [change.eventType, status ?? title, read].filter((part) => part !== undefined).join(' '),
            )
          },
        )
        .subscribe((status, problem) => (status === 'SUBSCRIBED' ? joined() : problem && failed(problem)))
    })
    return heard
  }

  it('tells of new and changed notifications of one’s own', async () => {
    const { olivia, marc, zoe } = people
    const own = await follow(marc, 'user-notifications', {
      table: 'user_notifications',
      filter: `user_id=eq.${marc.id}`,
    })
    const strange = await follow(zoe, 'user-notifications', {
      table: 'user_notifications',
      filter: `user_id=eq.${marc.id}`,
    })
    await join(olivia, marc, planId)
    await marc.client
      .rpc('mark_notifications_as_read', { p_user_id: marc.id, p_notification_ids: null })
      .throwOnError()
    await vi.waitFor(
      () => expect(own).toEqual(['INSERT Request Approved false', 'UPDATE Request Approved true']),
      8000,
    )
    expect(strange).toEqual([])
  })

  it('tells an owner, a plan’s page and a requester of every event about join requests', async () => {
    const { olivia, marc, zoe } = people
    const table = 'subscription_requests'
    const counts = await follow(olivia, 'request-counts', { table })
    const page = await follow(olivia, 'requests-of-plan', { table, filter: `subscription_id=eq.${planId}` })
    const own = await follow(marc, 'own-requests', { table, filter: `user_id=eq.${marc.id}` })
    const strange = await follow(zoe, 'strange', { table })
    const first = await ask(marc, planId)
    await cancel(marc, first)
    await decide(olivia, 'reject', await ask(marc, planId)).throwOnError()
    const story = ['INSERT pending', 'UPDATE cancelled', 'INSERT pending', 'UPDATE rejected']
    for (const heard of [counts, page, own]) await vi.waitFor(() => expect(heard).toEqual(story), 8000)
    expect(strange).toEqual([])
  })
})
