import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announce, listen } from '#lib/events.ts'
import { standIn } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { listening, openApp, toasted } from '../app.tsx'
import { intercept, refusal, refuse } from '../network.ts'
import { ask, leaveHours, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string
let changes: unknown[]
let stop: () => void

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  changes = []
  stop = listen('requestStatusChanged', ({ at: _at, ...change }) => changes.push(change))
})
afterEach(() => stop())

const openPlan = () => openApp(server, `/manage-shared/${planId}`, { as: people.olivia })
const count = (name: string) => screen.findByLabelText(name)
const requests = async () => within(await screen.findByRole('region', { name: 'Join Requests' }))
const stored = (key: string): unknown => JSON.parse(window.localStorage.getItem(key) ?? 'null')
const decide = (verb: 'approve' | 'reject', id: string, plan = planId) =>
  people.olivia.client
    .rpc(`${verb}_subscription_request`, { p_request_id: id, p_subscription_id: plan })
    .throwOnError()
const cancel = (id: string) =>
  people.marc.client.from('subscription_requests').update({ status: 'cancelled' }).eq('id', id).throwOnError()

/** As a session is that runs out while nobody can refresh it: a second from now, without an event. */
async function endSession() {
  const { data } = await supabase().auth.getSession()
  if (!data.session) throw new Error('Nobody is signed in')
  standIn({ ...data.session, expires_at: Math.ceil(Date.now() / 1000) + 1 })
}

describe('the owner', () => {
  it('reads who asks, those who come live too, approves and rejects', async () => {
    await leaveHours(server, await ask(people.marc, planId), -1)
    await decide('reject', await ask(people.zoe, planId))
    const first = await ask(people.marc, planId, 'May I?')
    await leaveHours(server, first, 10)
    let loaded = 0
    const lists = intercept('POST rpc/get_pending_requests_with_expiry', async (send) => {
      const answer = await send()
      loaded += 1
      return answer
    })
    const { user } = await openPlan()
    const card = await requests()
    const approve = await card.findByLabelText(/^Approve marc/)
    const row = approve.closest('li')?.textContent ?? ''
    for (const text of [people.marc.email, 'May I?', 'Expiring soon: 10h left', 'Reject', 'Approve'])
      expect(row).toContain(text)
    expect(row).toMatch(/^.*marc\d+.*Asked .*(yesterday|ago)/i)
    expect(card.getAllByLabelText(/^Approve/)).toHaveLength(1)
    await count('Join requests, 1 pending')
    await user.click(await card.findByText('Earlier requests (2)'))
    const earlier = within(await card.findByLabelText('Earlier requests')).getAllByRole('listitem')
    expect(earlier.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^zoe\d+.*rejected$/),
      expect.stringMatching(/^marc\d+.*expired$/),
    ])

    // The list is loaded at first, and once more when changes are heard; an answer given meanwhile would begin that anew.
    await waitFor(() => expect(loaded).toBe(2))
    await user.click(approve)
    await card.findByText('All requests have been processed')
    await within(screen.getByRole('region', { name: 'Members' })).findByText(people.marc.email)
    await screen.findByText('2/4')
    await count('Join requests')
    expect(stored('processed-global-requests')).toEqual([first])

    const second = await ask(people.zoe, planId)
    const reject = await card.findByLabelText(/^Reject zoe/)
    await count('Join requests, 1 pending')
    expect(card.getByText('48h remaining')).toBeTruthy()
    await user.click(reject)
    await card.findByText('All requests have been processed')
    await waitFor(() =>
      expect(changes).toEqual([
        { requestId: first, status: 'approved', subscriptionId: planId },
        { requestId: second, status: 'rejected', subscriptionId: planId },
      ]),
    )
    const { data } = await people.olivia.client
      .from('subscription_requests')
      .select('status')
      .eq('id', second)
    expect(data).toEqual([{ status: 'rejected' }])
    expect(stored('processed-global-requests')).toEqual([first, second])
    await screen.findByText('2/4')
    // The changes themselves said it all; looking at requests is limited.
    expect(lists.sent).toHaveLength(2)
    // Sooner than five seconds after the last look.
    await waitFor(async () => {
      await user.click(screen.getByLabelText('Refresh join requests'))
      screen.getByText(/^Please wait [1-5] seconds? before refreshing\.$/)
    })
  })

  it('follows the count everywhere: live, 500 ms after an event, at once when forced', async () => {
    const answered = await ask(people.zoe, planId)
    window.localStorage.setItem('processed-global-requests', JSON.stringify([answered]))
    await openApp(server, '/about', { as: people.olivia })
    await count('Join requests')
    await listening(`request-counts-${people.olivia.id}`)
    const id = await ask(people.marc, planId)
    await count('Join requests, 1 pending')
    await cancel(id)
    await count('Join requests')
    const { sent, times } = intercept('GET rest/v1/subscription_requests')
    const started = performance.now()
    for (const requestId of ['request-1', 'request-2'])
      announce('requestStatusChanged', {
        requestId,
        status: 'approved',
        subscriptionId: planId,
        at: Date.now(),
      })
    await waitFor(() => expect(sent).toHaveLength(1))
    expect((times[0] ?? 0) - started).toBeGreaterThanOrEqual(495)
    announce('forceRequestCountsRefresh')
    await waitFor(() => expect(sent).toHaveLength(2))
  })

  it('is told what cannot be read or answered, and gets the request back', async () => {
    await decide('reject', await ask(people.zoe, planId))
    await ask(people.marc, planId)
    const archive = refuse('POST rpc/fetch_archived_requests', 'XX000')
    intercept('POST rpc/get_pending_requests_with_expiry', (send, attempt) => {
      if (attempt === 1) return refusal(400, 'XX000', 'broken')
      return attempt === 2 ? refusal(429, 'PT429', 'Rate limit exceeded. Please wait 1 seconds.') : send()
    })
    const { user } = await openPlan()
    await toasted('error', 'Error Loading Requests', 'Failed to fetch pending requests')
    await user.click(screen.getByLabelText('Refresh join requests'))
    await toasted('warning', 'Too Many Requests', 'Rate limit exceeded. Please wait 1 seconds.')
    // The list comes by itself once that is allowed.
    const card = await requests()
    const approve = await card.findByLabelText(/^Approve marc/)
    expect(archive.sent.length).toBeGreaterThan(0)
    expect(card.queryByRole('button', { name: /^Earlier requests/ })).toBeNull()

    const answer = intercept('POST rpc/approve_subscription_request', () =>
      Promise.resolve(Response.json('Hi')),
    )
    await user.click(approve)
    await toasted('error', 'Failed to approve request', 'Invalid response from server')
    refuse('POST rpc/reject_subscription_request', 'XX000', 'The database is tired.')
    await user.click(await card.findByLabelText(/^Reject marc/))
    await toasted('error', 'Failed to reject request', 'The database is tired.')
    const again = await card.findByLabelText(/^Approve marc/)
    expect([answer.sent.length, changes]).toEqual([1, []])

    expect(again).toHaveProperty('disabled', false)
    await endSession()
    await waitFor(() => expect(again).toHaveProperty('disabled', true))
    expect(card.getByLabelText(/^Reject marc/)).toHaveProperty('disabled', true)
  })
})

it('the requester is told of every answer, and finds each among the earlier requests', async () => {
  const { olivia, marc, zoe } = people
  const spotify = await sharePlan(olivia, 2, 'spotify-premium-duo')
  const tidal = await sharePlan(zoe, 2, 'tidal-family')
  const deezer = await sharePlan(zoe, 2, 'deezer-family')
  const netflix = await ask(marc, planId)
  const duo = await ask(marc, spotify)
  await leaveHours(server, await ask(marc, tidal), -1)
  window.localStorage.setItem('cancelled-requests', JSON.stringify([await ask(marc, deezer)]))
  const { user } = await openApp(server, '/my-subscriptions?tab=subscribed', { as: marc })
  await screen.findByLabelText('Netflix Premium')
  await screen.findByLabelText('Notifications, 1 unread')
  // What was cancelled here stays away, whatever the backend says.
  expect(screen.getAllByRole('article')).toHaveLength(2)
  await user.click(await screen.findByText('Earlier requests (1)'))
  const list = await screen.findByLabelText('Earlier requests')
  expect(list.textContent).toMatch(/^TIDAL Family.*expired$/)
  await listening('user-notifications')
  await decide('approve', netflix)
  expect((await screen.findByText('Request Approved')).parentElement?.textContent).toContain(
    'Netflix Premium',
  )
  await decide('reject', duo, spotify)
  await screen.findByText('Request Rejected')
  await screen.findByText("You don't have any pending subscription requests.")
  await waitFor(() => expect(list.textContent).toMatch(/Spotify Premium Duo.*rejected/))
  expect(changes).toEqual([
    { requestId: netflix, status: 'approved', subscriptionId: planId },
    { requestId: duo, status: 'rejected', subscriptionId: spotify },
  ])
  const { data } = await marc.client.from('user_notifications').select('title').throwOnError()
  expect(data.filter(({ title }) => title === 'Request Expired')).toHaveLength(1)
})
