import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { bootServer, openApp } from '../app.tsx'
import { ask, join, leaveHours, newPeople, type People, password, say, sharePlan } from '../sharing.ts'

const server = bootServer()
let people: People

beforeEach(async () => {
  people = await newPeople(server())
})

const open = async (who: keyof People, address = '/my-subscriptions') => ({
  user: userEvent.setup(),
  ...(await openApp(server(), address, { as: { email: people[who].email, password } })),
})
const card = async (name: string) => within(await screen.findByRole('article', { name }))

describe('an empty account', () => {
  it('MYSUB-01 MYSUB-03 MYSUB-09 says that nothing is shared and how to start', async () => {
    const { user, at } = await open('zoe')
    await screen.findByRole('heading', { level: 1, name: 'My Subscriptions' })
    expect(screen.getByText(`Manage your subscriptions for ${people.zoe.email}`)).toBeTruthy()
    expect(await screen.findByRole('tab', { name: /^My Shared Plans\s*0$/ })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Create New Plan' }).getAttribute('href')).toBe('/create')
    await screen.findByText("You haven't shared any subscriptions yet.")
    await user.click(screen.getByRole('link', { name: 'Share a Subscription' }))
    await waitFor(() => expect(at()).toMatch(/^\/create/))
  })

  it('MYSUB-05 MYSUB-07 MYSUB-08 MYSUB-10 MYSUB-11 says that nothing is joined or awaited', async () => {
    await open('zoe', '/my-subscriptions?tab=subscribed')
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
  it('MYSUB-04 MYSUB-06 MYSUB-15 REQ-22 shows price with fee, places and waiting requests, and follows along live', async () => {
    const planId = await sharePlan(people.olivia)
    await open('olivia', '/my-subscriptions?tab=requests')
    const netflix = await card('Netflix Premium')
    expect(netflix.getByText('€5.50')).toBeTruthy()
    expect(netflix.getByText('1/4')).toBeTruthy()
    expect(netflix.queryByText(/request/)).toBeNull()
    expect(screen.getByRole('tab', { name: /^My Shared Plans\s*1$/ })).toBeTruthy()
    await ask(people.marc, planId)
    await screen.findByText('1 request')
    await ask(people.zoe, planId)
    await screen.findByText('2 requests')
  })

  it('CHAT-09 shows how many conversations wait to be read', async () => {
    const planId = await sharePlan(people.olivia)
    await join(people.olivia, people.marc, planId)
    await open('olivia')
    await card('Netflix Premium')
    await say(people.marc, { planId, ownerId: people.olivia.id, memberId: people.marc.id }, 'Hello')
    await screen.findByText('1 unread')
  })

  it('MYSUB-12 MYSUB-13 DATA-24 opens the owner view and remembers the plan', async () => {
    const planId = await sharePlan(people.olivia)
    const { user, at } = await open('olivia')
    await user.click(await screen.findByRole('link', { name: 'Netflix Premium' }))
    await waitFor(() => expect(at()).toBe(`/manage-shared/${planId}`))
    const kept = window.localStorage.getItem(`subscription-${planId}-shared`) ?? ''
    expect(JSON.parse(kept)).toEqual({ id: planId, name: 'Premium', provider: 'Netflix' })
    await screen.findByRole('heading', { name: 'Premium Subscription' })
  })

  it('ERR-15 refreshes by hand and says so', async () => {
    const { user } = await open('olivia')
    await screen.findByText("You haven't shared any subscriptions yet.")
    await user.click(screen.getByRole('button', { name: 'Refresh subscriptions' }))
    await screen.findByText('Subscriptions updated')
  })
})

describe('subscribed plans', () => {
  it('MYSUB-04 MYSUB-12 counts what is joined and awaited, and moves an approved request over live', async () => {
    const planId = await sharePlan(people.olivia)
    const requestId = await ask(people.marc, planId)
    const { user, at } = await open('marc', '/my-subscriptions?tab=subscribed')
    await card('Netflix Premium')
    await screen.findByRole('tab', { name: /^My Subscribed Plans\s*1$/ })
    await people.olivia.client
      .rpc('approve_subscription_request', { p_request_id: requestId, p_subscription_id: planId })
      .throwOnError()
    await screen.findByText("You don't have any pending subscription requests.")
    await user.click(await screen.findByRole('link', { name: 'Netflix Premium' }))
    await waitFor(() => expect(at()).toBe(`/manage-subscribed/${planId}`))
  })

  it.each([
    [40, 'amber'],
    [12, 'orange'],
    [6, 'red'],
  ])('MYSUB-18 REQ-12 REQ-13 shows %i hours left in %s', async (hours, tone) => {
    await leaveHours(server(), await ask(people.marc, await sharePlan(people.olivia)), hours)
    await open('marc', '/my-subscriptions?tab=subscribed')
    const badge = await screen.findByText(`Expiring soon: ${hours}h left`)
    expect(badge.closest('[data-tone]')?.getAttribute('data-tone')).toBe(tone)
  })

  it('REQ-11 leaves out an expired request', async () => {
    await leaveHours(server(), await ask(people.marc, await sharePlan(people.olivia)), -1)
    await open('marc', '/my-subscriptions?tab=subscribed')
    await screen.findByText("You don't have any pending subscription requests.")
    await screen.findByRole('tab', { name: /^My Subscribed Plans\s*0$/ })
  })

  it('REQ-10 REQ-21 ERR-17 cancels a request after asking, and remembers it', async () => {
    const requestId = await ask(people.marc, await sharePlan(people.olivia))
    const { user } = await open('marc', '/my-subscriptions?tab=subscribed')
    const cancel = await screen.findByRole('button', { name: 'Cancel request to join Netflix Premium' })
    await user.click(cancel)
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel Join Request' }))
    await user.click(dialog.getByRole('button', { name: 'Keep waiting' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(cancel)
    await user.click(await screen.findByRole('button', { name: 'Cancel request' }))
    await screen.findByText('Your request to join Netflix Premium has been cancelled.')
    await screen.findByText("You don't have any pending subscription requests.")
    expect(window.localStorage.getItem('cancelled-requests')).toContain(requestId)
    const { data } = await people.marc.client
      .from('subscription_requests')
      .select('status')
      .eq('id', requestId)
    expect(data).toEqual([{ status: 'cancelled' }])
  })

  it('ERR-17 brings the request back when it was answered meanwhile', async () => {
    const planId = await sharePlan(people.olivia)
    const requestId = await ask(people.marc, planId)
    const { user } = await open('marc', '/my-subscriptions?tab=subscribed')
    await user.click(await screen.findByRole('button', { name: 'Cancel request to join Netflix Premium' }))
    const confirm = await screen.findByRole('button', { name: 'Cancel request' })
    await server().db.query(
      `update public.subscription_requests set status = 'rejected' where id = $1::uuid`,
      [requestId],
    )
    await user.click(confirm)
    await screen.findByText('Failed to cancel join request. Please try again.')
  })
})

it('AUTH-32 MYSUB-02 sends a visitor to sign in and says why', async () => {
  const { at } = await openApp(server(), '/my-subscriptions')
  await waitFor(() => expect(at()).toMatch(/^\/signin/))
  await screen.findByText('Please sign in to view your subscriptions.')
})
