import { testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { announce } from '#lib/events.ts'
import { openApp } from '../app.tsx'
import { endPatience, hang, intercept, refuse, silenceLive } from '../network.ts'
import { holdPhone } from '../phone.ts'
import { ask, join, leaveHours, newPeople, type People, password, say, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People

beforeEach(async () => {
  people = await newPeople(server)
})

const open = async (who: keyof People, address = '/my-subscriptions') => ({
  ...(await openApp(server, address, { as: { email: people[who].email, password } })),
})
const toastOf = (text: HTMLElement) => text.closest<HTMLElement>('[role="alert"], [role="status"]') ?? text
const card = async (name: string) => within(await screen.findByRole('article', { name }))

describe('an empty account', () => {
  it('says that nothing is shared and how to start', async () => {
    const { user, at } = await open('zoe')
    await screen.findByRole('heading', { level: 1, name: 'My Subscriptions' })
    expect(screen.getByText(`Manage your subscriptions for ${people.zoe.email}`)).toBeTruthy()
    expect(await screen.findByRole('tab', { name: /^My Shared Plans\s*0$/ })).toBeTruthy()
    expect(screen.getByRole('tab', { name: /^My Subscribed Plans\s*0$/ })).toBeTruthy()
    await screen.findByText("You haven't shared any subscriptions yet.")
    await user.click(screen.getByRole('link', { name: 'Share a Subscription' }))
    await waitFor(() => expect(at()).toMatch(/^\/create/))
  })

  it('opens the tab of the address, each with its own way on', async () => {
    const { user, at } = await open('zoe', '/my-subscriptions?tab=shared')
    const chosen = () => screen.getByRole('tab', { selected: true }).textContent
    const ways = () =>
      within(screen.getByRole('tabpanel'))
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href')])
    await screen.findByText("You haven't shared any subscriptions yet.")
    expect(chosen()).toMatch(/^My Shared Plans/)
    expect(ways()).toEqual([
      ['Create New Plan', '/create'],
      ['Share a Subscription', '/create'],
    ])
    await user.click(screen.getByRole('tab', { name: /^My Subscribed Plans/ }))
    await screen.findByText("You haven't joined any subscriptions yet.")
    expect(at()).toBe('/my-subscriptions?tab=subscribed')
    expect(chosen()).toMatch(/^My Subscribed Plans/)
    expect(ways()).toEqual([
      ['Browse Plans', '/available-subscriptions'],
      ['Find Subscriptions', '/available-subscriptions'],
    ])
  })

  it('has shorter tabs on a phone', async () => {
    holdPhone()
    await open('zoe')
    expect(await screen.findByRole('tab', { name: /^My Shared\s*0$/ })).toBeTruthy()
    expect(await screen.findByRole('tab', { name: /^Subscribed\s*0$/ })).toBeTruthy()
    expect(screen.queryByText(/My Shared Plans|My Subscribed Plans/)).toBeNull()
  })

  it('says that nothing is joined or awaited', async () => {
    await open('zoe', '/my-subscriptions?tab=subscribed')
    expect(await screen.findByRole('tab', { selected: true, name: /^My Subscribed Plans/ })).toBeTruthy()
    await screen.findByRole('heading', { name: "Plans You're Awaiting to Join" })
    expect(screen.getByRole('heading', { name: "Plans You've Joined" })).toBeTruthy()
    await screen.findByText("You don't have any pending subscription requests.")
    await screen.findByText("You haven't joined any subscriptions yet.")
    for (const name of ['Browse Plans', 'Find Subscriptions'])
      for (const link of within(screen.getByRole('main')).getAllByRole('link', { name }))
        expect(link.getAttribute('href')).toBe('/available-subscriptions')
  })
})

describe('shared plans', () => {
  it('shows price with fee, places and waiting requests, and follows along live', async () => {
    const planId = await sharePlan(people.olivia)
    await open('olivia', '/my-subscriptions?tab=requests')
    const netflix = await card('Netflix Premium')
    // A share of 5.00 and 10 percent.
    expect(netflix.getByText('€5.50').textContent).toBe('€5.50 / month')
    expect(netflix.getByText('1/4')).toBeTruthy()
    expect(netflix.queryByText(/request/)).toBeNull()
    expect(screen.getByRole('tab', { name: /^My Shared Plans\s*1$/ })).toBeTruthy()
    await ask(people.marc, planId)
    await screen.findByText('1 request')
    await ask(people.zoe, planId)
    await screen.findByText('2 requests')
  })

  it('shows how many conversations wait to be read', async () => {
    const planId = await sharePlan(people.olivia)
    await join(people.olivia, people.marc, planId)
    await open('olivia')
    await card('Netflix Premium')
    await say(people.marc, { planId, ownerId: people.olivia.id, memberId: people.marc.id }, 'Hello')
    await screen.findByText('1 unread')
  })

  it('wears the colours of its provider, and its mark', async () => {
    await sharePlan(people.olivia)
    await sharePlan(people.olivia, 2, 'spotify-premium-duo')
    await open('olivia')
    for (const [name, color] of [
      ['Netflix Premium', '#E50914'],
      ['Spotify Premium Duo', '#1DB954'],
    ] as const) {
      const card = await screen.findByRole('article', { name })
      expect(card.dataset.look).toBe('provider')
      expect(card.style.getPropertyValue('--provider-color')).toBe(color)
      expect(card.querySelector('svg path')).toBeTruthy()
    }
  })

  it('opens the owner view and remembers the plan', async () => {
    const planId = await sharePlan(people.olivia)
    const { user, at } = await open('olivia')
    const link = await screen.findByRole('link', { name: 'Netflix Premium' })
    expect(window.localStorage.getItem(`subscription-${planId}-shared`)).toBeNull()
    await user.click(link)
    await waitFor(() => expect(at()).toBe(`/manage-shared/${planId}`))
    const kept = window.localStorage.getItem(`subscription-${planId}-shared`) ?? ''
    expect(JSON.parse(kept)).toEqual({ id: planId, name: 'Premium', provider: 'Netflix' })
    expect(window.localStorage.getItem(`subscription-${planId}`)).toBeNull()
    await screen.findByRole('heading', { name: 'Premium Subscription' })
  })

  it('loads plans or counts again when another part asks for it', async () => {
    silenceLive()
    const planId = await sharePlan(people.olivia)
    await open('olivia')
    await card('Netflix Premium')
    await ask(people.marc, planId)
    announce('forceRequestCountsRefresh')
    await screen.findByText('1 request')
    const second = await sharePlan(people.olivia, 2, 'spotify-premium-duo')
    announce('forceSubscriptionsRefresh')
    await card('Spotify Premium Duo')
    await people.olivia.client.from('shared_subscriptions').delete().eq('id', second).throwOnError()
    announce('subscriptionCreated', { subscriptionId: second })
    await waitFor(() => expect(screen.queryByText('Spotify Premium Duo')).toBeNull())
  })

  it('loads the list once for several changes, and not before five seconds have passed', async () => {
    const planId = await sharePlan(people.olivia)
    await open('olivia')
    await card('Netflix Premium')
    const start = performance.now()
    const { sent: loads } = intercept('GET /rest/v1/shared_subscriptions?')
    // A change of a plan is told with it, so only new ones are loaded.
    for (const places of [3, 2, 3])
      await people.olivia.client
        .from('shared_subscriptions')
        .update({ owner_max_members: places })
        .eq('id', planId)
        .throwOnError()
    await screen.findByText('1/3')
    expect(loads.length).toBe(0)
    await sharePlan(people.olivia, 2, 'spotify-premium-duo')
    await sharePlan(people.olivia, 4, 'youtube-premium-family')
    await card('YouTube Premium Family')
    expect(loads.length).toBe(1)
    expect(performance.now() - start).toBeGreaterThan(3000)
  })

  it('refreshes by hand and says so', async () => {
    const { user } = await open('olivia')
    await screen.findByText("You haven't shared any subscriptions yet.")
    await user.click(screen.getByRole('button', { name: 'Refresh subscriptions' }))
    await screen.findByText('Subscriptions updated')
    refuse('GET /shared_subscriptions', 'XX000', 'boom', 500)
    await user.click(screen.getByRole('button', { name: 'Refresh subscriptions' }))
    await screen.findByText('Failed to update subscriptions')
  })

  it('is pulled down by a finger to load again', async () => {
    holdPhone()
    await open('olivia')
    const page = await screen.findByRole('heading', { level: 1 })
    await screen.findByText("You haven't shared any subscriptions yet.")
    const finger = (y: number) => ({ touches: [{ clientX: 0, clientY: y }] })
    const room = () => screen.getByText(/refresh$|^Refreshing/).closest<HTMLElement>('[data-state]')
    fireEvent.touchStart(page, finger(100))
    fireEvent.touchMove(page, finger(200))
    expect(screen.getByText('Pull to refresh')).toBeTruthy()
    expect(room()?.style.height).toBe('50px')
    fireEvent.touchMove(page, finger(260))
    expect(screen.getByText('Release to refresh')).toBeTruthy()
    expect(room()?.style.height).toBe('80px')
    fireEvent.touchMove(page, finger(900))
    expect(room()?.style.height).toBe('120px')
    const { sent: loads } = intercept('GET /shared_subscriptions')
    fireEvent.touchEnd(page, { touches: [] })
    expect(screen.getByText('Refreshing...')).toBeTruthy()
    await screen.findByText('Subscriptions updated')
    await waitFor(() => expect(screen.queryByText('Refreshing...')).toBeNull())
    expect(loads.length).toBe(1)
    fireEvent.touchStart(page, finger(100))
    fireEvent.touchMove(page, finger(259))
    fireEvent.touchEnd(page, { touches: [] })
    expect(screen.queryByText('Refreshing...')).toBeNull()
    expect(loads.length).toBe(1)
  })
})

describe('what cannot be loaded', () => {
  it('says which of the lists, and loads it when asked to try again', async () => {
    const broken = refuse('GET /rest/v1/sub', 'XX000', 'boom', 500)
    const plans = refuse('GET /rest/v1/shared_subscriptions', 'XX000', 'boom', 500)
    const { user } = await open('zoe')
    await screen.findByText('Failed to load shared subscriptions')
    await user.click(screen.getByRole('tab', { name: /^My Subscribed Plans/ }))
    await screen.findByText('Failed to load subscribed plans')
    await screen.findByText('Failed to load pending requests')
    expect(screen.queryByText(/boom/)).toBeNull()
    plans.heal()
    broken.heal()
    for (const retry of within(screen.getByRole('tabpanel')).getAllByRole('button', { name: 'Retry' }))
      await user.click(retry)
    await screen.findByText("You haven't joined any subscriptions yet.")
    await screen.findByText("You don't have any pending subscription requests.")
    expect(within(screen.getByRole('tabpanel')).queryByText(/^Failed to load/)).toBeNull()
  })

  it('gives up after 15 seconds', async () => {
    const patience = endPatience()
    hang('GET /rest/v1/shared_subscriptions')
    await open('zoe')
    await screen.findByRole('heading', { level: 1 })
    expect(screen.queryByText('Request timeout')).toBeNull()
    patience.end()
    await screen.findByText('Failed to load shared subscriptions')
    await screen.findByText('Request timeout')
  })

  it.each([
    [null, true],
    ['true', true],
    ['false', false],
  ])('with the flag at %s the failing counts are told: %s', async (flag, told) => {
    if (flag) window.localStorage.setItem('pending-requests-notifications-enabled', flag)
    const asked = refuse('GET /subscription_requests', 'XX000', 'boom', 500)
    await open('zoe', '/my-subscriptions?tab=subscribed')
    await screen.findByText('Failed to load pending requests')
    if (told) {
      const toast = within(await screen.findByText('Failed to fetch pending requests').then(toastOf))
      expect(toast.getByText('Error')).toBeTruthy()
      return
    }
    // By the time they are asked for again, the first answer has been dealt with.
    const before = asked.sent.length
    announce('forceRequestCountsRefresh')
    await waitFor(() => expect(asked.sent.length).toBeGreaterThan(before))
    expect(screen.queryByText('Failed to fetch pending requests')).toBeNull()
  })
})

describe('subscribed plans', () => {
  it('counts what is joined and awaited, and moves an approved request over live', async () => {
    const planId = await sharePlan(people.olivia)
    const requestId = await ask(people.marc, planId)
    const joinedId = await sharePlan(people.olivia, 2, 'spotify-premium-duo')
    await join(people.olivia, people.marc, joinedId)
    await sharePlan(people.marc, 2, 'youtube-premium-family')
    const { user, at } = await open('marc', '/my-subscriptions?tab=subscribed')
    const awaited = await card('Netflix Premium')
    for (const shown of [awaited, await card('Spotify Premium Duo')])
      expect(shown.getByText(/^€\d+\.\d\d/).textContent).toMatch(/^€(5\.50|9\.90) \/ month$/)
    await screen.findByRole('tab', { name: /^My Subscribed Plans\s*2$/ })
    expect(screen.getByRole('tab', { name: /^My Shared Plans\s*1$/ })).toBeTruthy()
    await people.olivia.client
      .rpc('approve_subscription_request', { p_request_id: requestId, p_subscription_id: planId })
      .throwOnError()
    await screen.findByText("You don't have any pending subscription requests.")
    await user.click(await screen.findByRole('link', { name: 'Netflix Premium' }))
    await waitFor(() => expect(at()).toBe(`/manage-subscribed/${planId}`))
    const kept = window.localStorage.getItem(`subscription-${planId}`) ?? ''
    expect(JSON.parse(kept)).toEqual({ id: planId, name: 'Premium', provider: 'Netflix' })
    expect(window.localStorage.getItem(`subscription-${planId}-shared`)).toBeNull()
  })

  it('names the owner as their profile does', async () => {
    await people.olivia.client
      .from('user_profiles')
      .update({ display_name: 'Olivia of the Long and Winding Name' })
      .eq('user_id', people.olivia.id)
      .throwOnError()
    await ask(people.marc, await sharePlan(people.olivia))
    await join(people.olivia, people.marc, await sharePlan(people.olivia, 2, 'spotify-premium-duo'))
    await open('marc', '/my-subscriptions?tab=subscribed')
    for (const name of ['Netflix Premium', 'Spotify Premium Duo'])
      expect((await card(name)).getByText('Shared by Olivia of the Long and Winding Name')).toBeTruthy()
  })

  it.each([
    [40, 'amber'],
    [12, 'orange'],
    [6, 'red'],
  ])('shows %i hours left in %s', async (hours, tone) => {
    await leaveHours(server, await ask(people.marc, await sharePlan(people.olivia)), hours)
    await open('marc', '/my-subscriptions?tab=subscribed')
    const badge = await screen.findByText(`Expiring soon: ${hours}h left`)
    expect(badge.closest('[data-tone]')?.getAttribute('data-tone')).toBe(tone)
    expect(screen.getByRole('button', { name: 'Cancel request to join Netflix Premium' })).toBeTruthy()
  })

  it('leaves out an expired request', async () => {
    await leaveHours(server, await ask(people.marc, await sharePlan(people.olivia)), -1)
    await open('marc', '/my-subscriptions?tab=subscribed')
    await screen.findByText("You don't have any pending subscription requests.")
    await screen.findByRole('tab', { name: /^My Subscribed Plans\s*0$/ })
  })

  it('cancels a request after asking, and remembers it', async () => {
    const requestId = await ask(people.marc, await sharePlan(people.olivia))
    const { user } = await open('marc', '/my-subscriptions?tab=subscribed')
    const cancel = await screen.findByRole('button', { name: 'Cancel request to join Netflix Premium' })
    await user.click(cancel)
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel Join Request' }))
    await user.click(dialog.getByRole('button', { name: 'Keep waiting' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(cancel)
    await user.click(await screen.findByRole('button', { name: 'Cancel request' }))
    const said = await screen.findByText('Your request to join Netflix Premium has been cancelled.')
    expect(within(toastOf(said)).getByText('Request Cancelled')).toBeTruthy()
    await screen.findByText("You don't have any pending subscription requests.")
    expect(window.localStorage.getItem('cancelled-requests')).toContain(requestId)
    const { data } = await people.marc.client
      .from('subscription_requests')
      .select('status')
      .eq('id', requestId)
    expect(data).toEqual([{ status: 'cancelled' }])
  })

  it('brings the request back when it was answered meanwhile', async () => {
    const planId = await sharePlan(people.olivia)
    const requestId = await ask(people.marc, planId)
    const { user } = await open('marc', '/my-subscriptions?tab=subscribed')
    await user.click(await screen.findByRole('button', { name: 'Cancel request to join Netflix Premium' }))
    const confirm = await screen.findByRole('button', { name: 'Cancel request' })
    await server.db.query(`update public.subscription_requests set status = 'rejected' where id = $1::uuid`, [
      requestId,
    ])
    await user.click(confirm)
    await screen.findByText('Failed to cancel join request. Please try again.')
    expect(screen.queryByText('Request Cancelled')).toBeNull()
  })
})

it('sends a visitor to sign in and says why', async () => {
  const { at } = await openApp(server, '/my-subscriptions')
  await waitFor(() => expect(at()).toMatch(/^\/signin/))
  await screen.findByText('Please sign in to view your subscriptions.')
})
