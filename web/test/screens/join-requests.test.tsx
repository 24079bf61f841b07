import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import type { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { standIn } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { listening, openApp } from '../app.tsx'
import { intercept, noAnswer, refusal } from '../network.ts'
import { ask, join, leaveHours, newPeople, type People, password, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string
let heard: { name: string; detail: unknown; at: number }[]
const hear = (event: Event) =>
  heard.push({ name: event.type, detail: (event as CustomEvent).detail, at: performance.now() })
const EVENTS = ['requestStatusChanged', 'subscriptionRequestSent', 'forceSubscriptionsRefresh'] as const

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  heard = []
  for (const name of EVENTS) window.addEventListener(name, hear)
})
afterEach(() => {
  for (const name of EVENTS) window.removeEventListener(name, hear)
})

const open = async (who: keyof People, address: string) => ({
  ...(await openApp(server, address, { as: { email: people[who].email, password } })),
})
const openPlan = () => open('olivia', `/manage-shared/${planId}`)
const openAwaiting = (who: keyof People) => open(who, '/my-subscriptions?tab=subscribed')
const openBrowse = (who: keyof People) =>
  open(who, '/available-subscriptions?category=streaming&provider=Netflix')
const decide = (verb: 'approve' | 'reject', id: string) =>
  people.olivia.client
    .rpc(`${verb}_subscription_request`, { p_request_id: id, p_subscription_id: planId })
    .throwOnError()
const changes = () => heard.filter(({ name }) => name === 'requestStatusChanged').map(({ detail }) => detail)
const change = (requestId: string, status: string) =>
  expect.objectContaining({ requestId, status, subscriptionId: planId })

/** As a session is that runs out while nobody can refresh it: `seconds` from now, without an event. */
async function endSessionIn(seconds: number) {
  const { data } = await supabase().auth.getSession()
  if (!data.session) throw new Error('Nobody is signed in')
  standIn({ ...data.session, expires_at: Math.ceil(Date.now() / 1000) + seconds })
}

describe('the owner', () => {
  it('reads who asks, and approves', async () => {
    const id = await ask(people.marc, planId, 'May I?')
    await leaveHours(server, id, 10)
    const { user } = await openPlan()
    const approve = await screen.findByRole('button', { name: /^Approve marc/ })
    const row = approve.closest('li')?.textContent ?? ''
    expect(row).toMatch(/^.*marc\d+/)
    for (const text of [people.marc.email, 'May I?', 'Expiring soon: 10h left', 'Reject', 'Approve'])
      expect(row).toContain(text)
    expect(row).toMatch(/Asked .*(yesterday|ago)/i)
    await user.click(approve)
    await screen.findByText('All requests have been processed')
    await waitFor(() => expect(changes()).toContainEqual(change(id, 'approved')))
    expect(JSON.parse(window.localStorage.getItem('processed-global-requests') ?? '')).toEqual([id])
  })

  it('rejects, and the answered one is not counted again', async () => {
    const id = await ask(people.marc, planId)
    const { user } = await openPlan()
    await screen.findByRole('link', { name: 'Join requests, 1 pending' })
    await user.click(await screen.findByRole('button', { name: /^Reject marc/ }))
    await waitFor(() => expect(changes()).toContainEqual(change(id, 'rejected')))
    await screen.findByRole('link', { name: 'Join requests' })
    expect(JSON.parse(window.localStorage.getItem('processed-global-requests') ?? '')).toEqual([id])
  })

  it('leaves out what this browser has answered, whatever the backend says', async () => {
    const [answered] = [await ask(people.marc, planId), await ask(people.zoe, planId)]
    window.localStorage.setItem('processed-global-requests', JSON.stringify([answered]))
    await open('olivia', '/about')
    expect(await screen.findByRole('link', { name: 'Join requests, 1 pending' })).toBeTruthy()
  })

  it('finds an expired request among the earlier ones, not in the list nor in the count', async () => {
    await leaveHours(server, await ask(people.marc, planId), -1)
    const rejected = await ask(people.zoe, planId)
    await decide('reject', rejected)
    const { user } = await openPlan()
    await screen.findByText('No pending join requests')
    await user.click(await screen.findByRole('button', { name: 'Earlier requests (2)' }))
    const rows = await screen.findAllByText(/^(expired|rejected)$/)
    expect(rows.map((row) => row.closest('li')?.textContent)).toEqual([
      expect.stringMatching(/^zoe\d+.*rejected$/),
      expect.stringMatching(/^marc\d+.*expired$/),
    ])
    expect(screen.getByRole('link', { name: 'Join requests' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull()
  })

  it('sees none of them when they cannot be read', async () => {
    await decide('reject', await ask(people.zoe, planId))
    const { times } = intercept('POST rpc/fetch_archived_requests', () => refusal(400, 'XX000', 'broken'))
    await openPlan()
    await screen.findByText('No pending join requests')
    await waitFor(() => expect(times.length).toBeGreaterThan(0))
    expect(screen.queryByRole('button', { name: /^Earlier requests/ })).toBeNull()
  })

  it('follows the count on a new and on a changed request', async () => {
    await open('olivia', '/about')
    await screen.findByRole('link', { name: 'Join requests' })
    const id = await ask(people.marc, planId)
    await screen.findByRole('link', { name: 'Join requests, 1 pending' })
    await ask(people.zoe, planId)
    await screen.findByRole('link', { name: 'Join requests, 2 pending' })
    await people.marc.client
      .from('subscription_requests')
      .update({ status: 'cancelled' })
      .eq('id', id)
      .throwOnError()
    await screen.findByRole('link', { name: 'Join requests, 1 pending' })
  })

  it('asks for the count 500 ms after a status event, at once when forced', async () => {
    await open('olivia', '/about')
    await screen.findByRole('link', { name: 'Join requests' })
    const { times } = intercept('GET rest/v1/subscription_requests')
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const detail = { requestId: 'request-1', status: 'approved', subscriptionId: planId, at: Date.now() }
    const sentAt = performance.now()
    window.dispatchEvent(new CustomEvent('requestStatusChanged', { detail }))
    window.dispatchEvent(new CustomEvent('requestStatusChanged', { detail }))
    expect(timers.mock.calls.filter(([, ms]) => ms === 500)).toHaveLength(1)
    expect(times).toEqual([])
    await waitFor(() => expect(times).toHaveLength(1))
    expect((times[0] ?? 0) - sentAt).toBeGreaterThanOrEqual(495)
    window.dispatchEvent(new CustomEvent('forceRequestCountsRefresh'))
    await waitFor(() => expect(times).toHaveLength(2))
  })

  it('follows on the page of the plan 500 ms after a change', async () => {
    const lists = intercept('POST rpc/get_pending_requests_with_expiry')
    const counts = intercept('GET rest/v1/subscription_requests')
    await openPlan()
    // Each is loaded once at first and once more when its channel is joined.
    await waitFor(() => expect([lists.times.length, counts.times.length]).toEqual([2, 2]))
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await ask(people.marc, planId)
    await screen.findByRole('button', { name: /^Approve marc/ })
    await screen.findByRole('link', { name: 'Join requests, 1 pending' })
    expect(timers.mock.calls.filter(([, ms]) => ms === 500)).toHaveLength(2)
    // The change itself says who asks, so neither is loaded again; looking at requests is limited.
    expect([lists.times.length, counts.times.length]).toEqual([2, 2])
  })

  it('cannot answer once the session has run out', async () => {
    await ask(people.marc, planId)
    await openPlan()
    const approve = await screen.findByRole('button', { name: /^Approve marc/ })
    const reject = screen.getByRole('button', { name: /^Reject marc/ })
    expect([approve, reject].map((button) => button.hasAttribute('disabled'))).toEqual([false, false])
    await endSessionIn(1)
    await waitFor(() => expect(approve.hasAttribute('disabled')).toBe(true))
    expect(reject.hasAttribute('disabled')).toBe(true)
  })

  it('is told when the requests cannot be fetched', async () => {
    intercept('POST rpc/get_pending_requests_with_expiry', () => refusal(400, 'XX000', 'broken'))
    await openPlan()
    const toast = await screen.findByText('Error Loading Requests')
    expect(toast.parentElement?.textContent).toBe('Error Loading RequestsFailed to fetch pending requests')
  })

  it('is told how long to wait, and after that the list comes by itself', async () => {
    await ask(people.marc, planId)
    intercept('POST rpc/get_pending_requests_with_expiry', (real, attempt) =>
      attempt === 1 ? refusal(429, 'PT429', 'Rate limit exceeded. Please wait 2 seconds.') : real(),
    )
    await openPlan()
    const toast = await screen.findByText('Too Many Requests')
    expect(toast.parentElement?.textContent).toBe(
      'Too Many RequestsRate limit exceeded. Please wait 2 seconds.',
    )
    expect(await screen.findByRole('button', { name: /^Approve marc/ })).toBeTruthy()
  })

  it('is asked for patience between two refreshes, with the seconds left', async () => {
    const { user } = await openPlan()
    await screen.findByText('No pending join requests')
    const refresh = screen.getByRole('button', { name: 'Refresh join requests' })
    await waitFor(() => expect(refresh.hasAttribute('data-loading')).toBe(false))
    await user.click(refresh)
    await screen.findByText(/^Please wait [1-5] seconds before refreshing\.$/)
  })

  it('is told why an answer failed, and the request comes back', async () => {
    await ask(people.marc, planId)
    const answers = [
      () => refusal(400, 'XX000', 'The database is tired.'),
      () => Promise.resolve(Response.json({ id: 'member-1' })),
      () => Promise.resolve(Response.json('Welcome!')),
    ]
    intercept('POST rpc/approve_subscription_request', (_real, attempt) =>
      (answers[attempt - 1] ?? noAnswer)(),
    )
    intercept('POST rpc/reject_subscription_request', () => refusal(400, 'XX000', 'Still tired.'))
    const { user } = await openPlan()
    for (const reason of [
      'The database is tired.',
      'Invalid member data received from server',
      'Invalid response from server',
    ]) {
      await user.click(await screen.findByRole('button', { name: /^Approve marc/ }))
      const text = await screen.findByText(reason)
      expect(text.parentElement?.textContent).toBe(`Failed to approve request${reason}`)
    }
    await user.click(await screen.findByRole('button', { name: /^Reject marc/ }))
    expect((await screen.findByText('Still tired.')).parentElement?.textContent).toBe(
      'Failed to reject requestStill tired.',
    )
    expect(await screen.findByRole('button', { name: /^Approve marc/ })).toBeTruthy()
    expect(changes()).toEqual([])
  })
})

describe('the requester', () => {
  it('is told of an approval by a toast that names the plan', async () => {
    const id = await ask(people.marc, planId)
    await openAwaiting('marc')
    await screen.findByRole('article', { name: 'Netflix Premium' })
    await listening('user-notifications')
    await decide('approve', id)
    const toast = await screen.findByText('Request Approved')
    expect(toast.parentElement?.textContent).toContain('Netflix Premium')
    await waitFor(() => expect(changes()).toEqual([change(id, 'approved')]))
  })

  it('is told of a rejection, and finds it among the earlier requests', async () => {
    const id = await ask(people.marc, planId)
    const { user } = await openAwaiting('marc')
    await screen.findByRole('article', { name: 'Netflix Premium' })
    await listening('user-notifications')
    await decide('reject', id)
    await screen.findByText('Request Rejected')
    await screen.findByText("You don't have any pending subscription requests.")
    await waitFor(() => expect(changes()).toEqual([change(id, 'rejected')]))
    await user.click(await screen.findByRole('button', { name: 'Earlier requests (1)' }))
    const list = await screen.findByRole('list', { name: 'Earlier requests' })
    expect(list.textContent).toMatch(/^Netflix Premium.*rejected$/)
  })

  it('is told once that a request expired, and finds it among the earlier ones', async () => {
    await leaveHours(server, await ask(people.marc, planId), -1)
    const { user } = await openAwaiting('marc')
    await user.click(await screen.findByRole('button', { name: 'Earlier requests (1)' }))
    expect((await screen.findByRole('list', { name: 'Earlier requests' })).textContent).toMatch(
      /^Netflix Premium.*expired$/,
    )
    await screen.findByRole('button', { name: 'Notifications, 1 unread' })
    const { data } = await people.marc.client.from('user_notifications').select('title').throwOnError()
    expect(data).toEqual([{ title: 'Request Expired' }])
  })

  it('never sees again what was cancelled in this browser', async () => {
    const id = await ask(people.marc, planId)
    window.localStorage.setItem('cancelled-requests', JSON.stringify([id]))
    await openAwaiting('marc')
    await screen.findByText("You don't have any pending subscription requests.")
    const { data } = await people.marc.client.from('subscription_requests').select('status').throwOnError()
    expect(data).toEqual([{ status: 'pending' }])
  })

  it('cancels, announces it, and 300 ms later forces a refresh', async () => {
    const id = await ask(people.marc, planId)
    const { user } = await openAwaiting('marc')
    await user.click(await screen.findByRole('button', { name: 'Cancel request to join Netflix Premium' }))
    const confirm = await screen.findByRole('button', { name: 'Cancel request' })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await user.click(confirm)
    await waitFor(() => expect(heard.map(({ name }) => name)).toContain('forceSubscriptionsRefresh'))
    expect(changes()[0]).toEqual(change(id, 'cancelled'))
    expect(timers.mock.calls.filter(([, ms]) => ms === 300)).toHaveLength(1)
    const [cancelled, forced] = ['requestStatusChanged', 'forceSubscriptionsRefresh'].map(
      (wanted) => heard.find(({ name }) => name === wanted)?.at ?? 0,
    )
    expect((forced ?? 0) - (cancelled ?? 0)).toBeGreaterThanOrEqual(295)
    expect(JSON.parse(window.localStorage.getItem('cancelled-requests') ?? '')).toEqual([id])
  })
})

describe('somebody who looks for a place', () => {
  /** On the card of the plan this test is about; those of other tests are listed as well. */
  const requestButton = () => {
    const [owner] = people.olivia.email.split('@')
    return screen.findByRole('button', { name: `Request to join Netflix Premium of ${owner}` })
  }
  const send = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(await requestButton())
    await user.click(await screen.findByRole('button', { name: 'Send request' }))
  }

  it('sees "Request to join", asks, and the request is announced', async () => {
    const { user } = await openBrowse('zoe')
    expect((await requestButton()).textContent).toBe('Request to join')
    await send(user)
    await screen.findByText('Request Sent')
    await waitFor(() =>
      expect(
        heard.filter(({ name }) => name === 'subscriptionRequestSent').map(({ detail }) => detail),
      ).toEqual([{ subscriptionId: planId }]),
    )
    const sent = await screen.findByRole('button', { name: 'Request sent', hidden: true })
    expect(sent.hasAttribute('disabled')).toBe(true)
  })

  it('may ask again once a request has expired', async () => {
    await leaveHours(server, await ask(people.zoe, planId), -1)
    const { user } = await openBrowse('zoe')
    await send(user)
    await screen.findByText('Request Sent')
  })

  it('has to sign in once the session ends while the page is open', async () => {
    const { user } = await openBrowse('zoe')
    await requestButton()
    await endSessionIn(1)
    const [button] = await screen.findAllByRole('button', { name: 'Request to join' })
    if (!button) throw new Error('There is no button')
    expect([button.getAttribute('aria-disabled'), button.hasAttribute('data-disabled')]).toEqual([
      'true',
      true,
    ])
    await user.hover(button)
    expect((await screen.findByRole('tooltip')).textContent).toBe('Sign in to request membership')
    await user.click(button)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is told when the last place has just gone', async () => {
    await people.olivia.client
      .from('shared_subscriptions')
      .update({ owner_max_members: 2 })
      .eq('id', planId)
      .throwOnError()
    const { user } = await openBrowse('zoe')
    await user.click(await requestButton())
    await screen.findByRole('button', { name: 'Send request' })
    await join(people.olivia, people.marc, planId)
    await user.click(screen.getByRole('button', { name: 'Send request' }))
    await screen.findByText('Subscription Full')
  })

  it('is told when somebody let them in meanwhile', async () => {
    const { user } = await openBrowse('zoe')
    await user.click(await requestButton())
    await screen.findByRole('button', { name: 'Send request' })
    await join(people.olivia, people.zoe, planId)
    await user.click(screen.getByRole('button', { name: 'Send request' }))
    await screen.findByText('Already a Member')
  })

  it('is told when the plan is gone, when it is refused, and when nothing answers', async () => {
    const answers = [
      () => noAnswer(),
      () => refusal(403, '42501', 'You can only ask for yourself'),
      () => refusal(404, 'PT404', 'Subscription not found'),
    ]
    intercept('POST rest/v1/subscription_requests', (_real, attempt) => (answers[attempt - 1] ?? noAnswer)())
    const { user } = await openBrowse('zoe')
    await user.click(await requestButton())
    for (const toast of [
      'Request failedAn unexpected error occurred',
      'Request FailedYou can only ask for yourself',
      "Request FailedCouldn't fetch subscription details",
    ]) {
      await user.click(await screen.findByRole('button', { name: 'Send request' }))
      const text = await screen.findByText(toast.replace(/^Request [fF]ailed/, ''))
      expect(text.parentElement?.textContent).toBe(toast)
    }
  })
})
