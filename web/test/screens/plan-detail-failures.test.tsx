import { testServer } from '@potluck/server/test/harness.ts'
import { QueryClientProvider, timeoutManager } from '@tanstack/react-query'
import { renderHook, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Member } from '#domain/members.ts'
import { useRemoveMember } from '#features/memberships/memberships.mutations.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { openApp } from '../app.tsx'
import { abort, endPatience, failNetwork, hang, refuse } from '../network.ts'
import { join, newPeople, type People, password, sharePlan } from '../sharing.ts'

// Pauses between two attempts pass ten times as fast here; what was asked for is kept.
const PAUSES = [1000, 2000, 4000, 5000, 8000]
let pauses: number[] = []
timeoutManager.setTimeoutProvider({
  setTimeout: (callback, delay) => {
    if (!PAUSES.includes(delay)) return setTimeout(callback, delay)
    pauses.push(delay)
    return setTimeout(callback, delay / 10)
  },
  clearTimeout: (timer) => clearTimeout(timer),
  setInterval: (callback, delay) => setInterval(callback, delay),
  clearInterval: (timer) => clearInterval(timer),
})

const MEMBER_LIST = 'GET /subscription_members?select=user_id%2Cname'
const LEAVE = 'DELETE /subscription_members'
const PLAN = 'GET /rest/v1/shared_subscriptions?'
const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  pauses = []
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
})

const open = async (who: keyof People, address = `/subscription/${planId}`) => {
  const opened = await openApp(server, address, { as: { email: people[who].email, password } })
  await screen.findByRole('main')
  return opened
}
const main = () => within(screen.getByRole('main'))
const touchPlan = () =>
  people.olivia.client
    .from('shared_subscriptions')
    .update({ owner_max_members: 3 })
    .eq('id', planId)
    .throwOnError()

describe('a plan that does not load', () => {
  it('says so after 15 seconds, and loads when asked again', async () => {
    const patience = endPatience()
    const silence = hang(PLAN)
    const kept = JSON.stringify({ id: planId, name: 'Premium', provider: 'Netflix' })
    window.localStorage.setItem(`subscription-${planId}-shared`, kept)
    const { user } = await open('olivia')
    await main().findByText('Netflix Premium')
    expect((await main().findAllByText('Loading')).length).toBeGreaterThan(0)
    const back = main().getByRole('link', { name: 'Back to My Subscriptions' })
    expect(back.getAttribute('href')).toMatch(/^\/my-subscriptions/)
    expect(screen.queryByText('Request timeout')).toBeNull()
    patience.end()
    await main().findByRole('heading', { name: 'Error Loading Subscription' })
    expect(main().getByText('Request timeout')).toBeTruthy()
    expect(main().getByRole('link', { name: 'Go to My Subscriptions' }).getAttribute('href')).toBe(
      '/my-subscriptions',
    )
    await screen.findByText('Error loading subscription')
    silence.heal()
    await user.click(main().getByRole('button', { name: 'Retry' }))
    await main().findByRole('heading', { name: 'Premium Subscription' })
  })

  it('keeps the words of the database to itself', async () => {
    const { sent } = refuse(PLAN, 'XX000', 'relation "secret_table" is broken', 500)
    const { user } = await open('olivia')
    const texts = await screen.findAllByText(
      'Database error: the subscription could not be read. Please try again.',
    )
    expect(texts).toHaveLength(2)
    expect(screen.getByText('Error loading subscription')).toBeTruthy()
    expect(screen.queryByText(/secret_table/)).toBeNull()
    // The same answer to another try is no news.
    const before = sent.length
    await user.click(main().getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(sent.length).toBeGreaterThan(before))
    await main().findByRole('button', { name: 'Retry' })
    expect(screen.getAllByText('Error loading subscription')).toHaveLength(1)
  })

  it('says that the network may be to blame', async () => {
    failNetwork(PLAN)
    await open('olivia')
    await main().findByRole('heading', { name: 'Error Loading Subscription' })
    expect(
      main().getByText(
        "We couldn't load some of your subscription details. This might be due to network issues or access limitations.",
      ),
    ).toBeTruthy()
  })

  it('keeps what is on screen when it cannot be brought up to date, with a way on', async () => {
    const { user } = await open('olivia')
    await main().findByRole('heading', { name: 'Premium Subscription' })
    const network = failNetwork(PLAN)
    await touchPlan()
    const alert = within(await main().findByRole('alert'))
    expect(alert.getByText('Error Loading Subscription')).toBeTruthy()
    expect(alert.getByText(/^We couldn't load some of your subscription details\. This might/)).toBeTruthy()
    expect(alert.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/my-subscriptions')
    expect(main().getByRole('heading', { name: 'Premium Subscription' })).toBeTruthy()
    await screen.findByText('Loading Error')
    network.heal()
    await user.click(alert.getByRole('button', { name: 'Retry' }))
    await main().findByText('2/3')
    await waitFor(() => expect(main().queryByRole('alert')).toBeNull())
  })

  it('is silent when it is the schema that does not fit', async () => {
    await open('olivia')
    await main().findByRole('heading', { name: 'Premium Subscription' })
    const { sent } = refuse(PLAN, '42703', 'column "x" does not exist')
    await join(people.olivia, people.zoe, planId)
    await waitFor(() => expect(sent.length).toBeGreaterThan(0))
    expect(await main().findByText('3/4')).toBeTruthy()
    for (const text of ['Loading Error', 'Error Loading Subscription'])
      expect(screen.queryByText(text)).toBeNull()
  })

  it.each(['/subscription', '/manage-shared', '/manage-subscribed', '/subscription/%20'])(
    '%s without a plan says what is missing',
    async (address) => {
      await open('olivia', address)
      await main().findByText('Subscription ID is required')
      expect(main().getByRole('heading', { name: 'Error Loading Subscription' })).toBeTruthy()
    },
  )

  it('says that its page could not be opened', async () => {
    const { user, router } = await open('olivia', '/my-subscriptions')
    // React and the router report on the console what the screen is about to say.
    for (const level of ['error', 'warn'] as const)
      vi.spyOn(console, level).mockImplementation(() => undefined)
    const { component } = router.routesByPath['/manage-shared/$planId'].options
    const part = Object.assign(component ?? {}, {
      preload: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
    })
    await user.click(await screen.findByRole('link', { name: 'Netflix Premium' }))
    await main().findByRole('heading', { name: 'Failed to navigate to subscription details' })
    Reflect.deleteProperty(part, 'preload')
    await user.click(main().getByRole('button', { name: 'Try Again' }))
    await main().findByRole('heading', { name: 'Premium Subscription' })
  })
})

describe('members that do not load', () => {
  it('are asked for five times, noted after three, told after five', async () => {
    const network = failNetwork(MEMBER_LIST)
    const { user } = await open('olivia')
    const members = within(await screen.findByRole('region', { name: 'Members' }))
    await members.findByText('Incomplete Subscription Data')
    expect(network.sent.length).toBe(3)
    expect(
      members.getByText(/^Unable to load latest member data: The connection seems to be down/),
    ).toBeTruthy()
    expect(screen.queryByText('Connection Issue')).toBeNull()
    await screen.findByText('Connection Issue')
    expect(
      screen.getByText('Some subscription details may not be up to date. Please refresh if needed.'),
    ).toBeTruthy()
    expect(network.sent.length).toBe(5)
    expect(pauses).toEqual([1000, 2000, 4000, 8000])
    network.heal()
    await user.click(members.getByRole('button', { name: 'Retry Loading' }))
    await members.findByText(people.marc.email)
    expect(members.queryByText('Incomplete Subscription Data')).toBeNull()
  })

  it.each(['42703', '42P01', '42883', '42501', '22P02', 'PGRST200'])(
    'with the schema error %s show the owner alone, without a word, and are asked once more',
    async (code) => {
      const { sent } = refuse(MEMBER_LIST, code, 'does not exist')
      await open('olivia')
      const members = within(await screen.findByRole('region', { name: 'Members' }))
      const [row, ...others] = await members.findAllByRole('listitem')
      expect(others).toEqual([])
      expect(within(row ?? document.body).getByText('Owner')).toBeTruthy()
      await waitFor(() => expect(sent.length).toBe(2))
      expect(pauses).toEqual([5000])
      expect(members.queryByText('Incomplete Subscription Data')).toBeNull()
      expect(screen.queryByText('Connection Issue')).toBeNull()
    },
  )

  it('do not keep the owner from the plan when nobody may read them', async () => {
    const { db } = server
    await db.query('revoke select on public.subscription_members from authenticated')
    try {
      await open('olivia')
      const members = within(await screen.findByRole('region', { name: 'Members' }))
      expect(await members.findAllByRole('listitem')).toHaveLength(1)
    } finally {
      await db.query('grant select on public.subscription_members to authenticated')
    }
  })

  it('are not missed when it was the browser that gave up', async () => {
    const { sent } = abort(MEMBER_LIST)
    await open('olivia')
    const members = within(await screen.findByRole('region', { name: 'Members' }))
    await waitFor(() => expect(sent.length).toBeGreaterThan(0))
    // By the time it is asked for again, the first answer has been dealt with.
    const before = sent.length
    await touchPlan()
    await waitFor(() => expect(sent.length).toBeGreaterThan(before))
    expect(members.queryByText('Incomplete Subscription Data')).toBeNull()
    expect(pauses).toEqual([])
  })

  it('leave a member without the owner, until loading again helps', async () => {
    const network = failNetwork(MEMBER_LIST)
    const { user } = await open('marc')
    const owner = within(await screen.findByRole('region', { name: 'Plan Owner' }))
    await owner.findByText('Failed to load owner details')
    network.heal()
    await server.db.query('delete from public.subscription_members where is_owner and subscription_id = $1', [
      planId,
    ])
    await user.click(owner.getByRole('button', { name: 'Retry' }))
    await owner.findByText('Owner information unavailable')
  })
})

describe('removing somebody', () => {
  const marc = (): Member => ({
    userId: people.marc.id,
    name: 'marc',
    displayName: 'Marc',
    email: people.marc.email,
    avatarUrl: null,
    isOwner: false,
    isAdmin: false,
    joinedAt: new Date().toISOString(),
  })
  const removeMarc = () => {
    const { result } = renderHook(() => useRemoveMember(planId), {
      wrapper: ({ children }) => (
        <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>
      ),
    })
    result.current.mutate(marc())
  }
  const places = async () =>
    (await people.olivia.client.from('shared_subscriptions').select('current_members').eq('id', planId)).data

  it('is refused to everybody but the owner', async () => {
    await open('zoe', '/about')
    removeMarc()
    await screen.findByText('Permission Denied')
    expect(screen.getByText('Only the subscription owner can remove members')).toBeTruthy()
    expect(await places()).toEqual([{ current_members: 2 }])
  })

  it('needs a session', async () => {
    await openApp(server, '/about')
    await screen.findByRole('main')
    removeMarc()
    await screen.findByText('You must be logged in to remove members')
    expect(await places()).toEqual([{ current_members: 2 }])
  })

  it('is done when they had left meanwhile', async () => {
    await open('olivia', '/about')
    await people.marc.client
      .from('subscription_members')
      .delete()
      .eq('user_id', people.marc.id)
      .throwOnError()
    removeMarc()
    await screen.findByText('Marc has been removed from the subscription.')
  })
})

describe('leaving', () => {
  it.each([
    ['the reason', () => refuse(LEAVE, 'P0001', 'Your last payment is open'), 'Your last payment is open'],
    ['that it failed', () => refuse(LEAVE, 'P0001', ''), 'Failed to leave subscription'],
    ['that it failed', () => failNetwork(LEAVE), 'Failed to leave subscription'],
  ])('says %s and changes nothing', async (_what, breakIt, text) => {
    const { user, at } = await open('marc')
    const broken = breakIt()
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    await user.click(await screen.findByRole('button', { name: 'Leave plan' }))
    await screen.findByText(text)
    expect(screen.queryByText('You have left the subscription successfully.')).toBeNull()
    expect(at()).toBe(`/subscription/${planId}`)
    broken.heal()
    const { data } = await people.marc.client
      .from('subscription_members')
      .select('id')
      .eq('user_id', people.marc.id)
    expect(data).toHaveLength(1)
  })
})
