// Proves NOTIF 07 11, PLAN 23, REQ 11 14-24, API 42 43 45 52, EVT 01 03, ERR 30-32, LIMIT 10 20
import { testServer } from '@potluck/server/test/harness.ts'
import { timeoutManager } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { announce, listen } from '#lib/events.ts'
import { standIn } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { answer } from '../acting.ts'
import { listening, openApp, toasted } from '../app.tsx'
import { intercept, refusal, refuse } from '../network.ts'
import { control, dialog, heading, region } from '../parts.ts'
import { ask, leaveHours, newPeople, type People, sayHowPaid, sharePlan, storeAccess } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const openPlan = () => openApp(server, `/manage-shared/${planId}`, { as: people.olivia })
const count = (name: string) => screen.findByLabelText(name)
const stored = (key: string): unknown => JSON.parse(window.localStorage.getItem(key) ?? 'null')
const decide = (verb: 'approve' | 'reject', id: string, plan = planId) =>
  answer(people.olivia, verb, plan, id)
/** The answers that browser events report. */
function heard() {
  const changes: unknown[] = []
  onTestFinished(listen('requestStatusChanged', ({ at: _at, ...change }) => changes.push(change)))
  return changes
}

it('the owner reads who asks, those who come live too, approves and rejects', async () => {
  const changes = heard()
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
  const card = await region('Join Requests')
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

  // The list is loaded at first, and again when the live channel joins; an answer given meanwhile would start that load
  // again.
  await waitFor(() => expect(loaded).toBe(2))
  // Nobody gets a place before the owner has said how they are paid; how people get in may follow.
  await user.click(approve)
  const paying = await dialog('How do you want to be paid?')
  await user.click(paying.getByText('Cancel'))
  await user.click(approve)
  await user.click(await paying.findByLabelText('In your own words'))
  await user.type(paying.getByLabelText('How to pay you'), 'Cash at dinner')
  await user.click(paying.getByText('Save'))
  await user.click((await dialog('How do people get in?')).getByText('Later'))
  await card.findByText('All requests have been processed')
  await (await region('Members')).findByText(people.marc.email)
  await screen.findByText('2/4')
  await count('Join requests')
  expect(stored('processed-global-requests')).toEqual([first])

  const second = await ask(people.zoe, planId)
  const reject = await card.findByLabelText(/^Reject zoe/)
  await count('Join requests, 1 pending')
  card.getByText('48h remaining')
  await user.click(reject)
  await card.findByText('All requests have been processed')
  await waitFor(() =>
    expect(changes).toEqual([
      { requestId: first, status: 'approved', subscriptionId: planId },
      { requestId: second, status: 'rejected', subscriptionId: planId },
    ]),
  )
  const requests = people.olivia.client.from('subscription_requests')
  expect((await requests.select('status').eq('id', second)).data).toEqual([{ status: 'rejected' }])
  expect(stored('processed-global-requests')).toEqual([first, second])
  await screen.findByText('2/4')
  // The live changes contained everything, so the requests were not loaded again; such loads count against a limit.
  expect(lists.sent).toHaveLength(2)
  // A refresh by hand within five seconds of the last load is refused.
  await waitFor(async () => {
    await user.click(screen.getByLabelText('Refresh join requests'))
    screen.getByText(/^Please wait [1-5] seconds? before refreshing\.$/)
  })
})

it('the owner follows the count everywhere: live, 500 ms after an event, at once when forced', async () => {
  const answered = await ask(people.zoe, planId)
  window.localStorage.setItem('processed-global-requests', JSON.stringify([answered]))
  await openApp(server, '/about', { as: people.olivia })
  await count('Join requests')
  await listening(`request-counts-${people.olivia.id}`)
  const id = await ask(people.marc, planId)
  await count('Join requests, 1 pending')
  const requests = people.marc.client.from('subscription_requests')
  await requests.update({ status: 'cancelled' }).eq('id', id).throwOnError()
  await count('Join requests')
  const { sent, times } = intercept('GET rest/v1/subscription_requests')
  const started = performance.now()
  const change = { status: 'approved', subscriptionId: planId, at: Date.now() } as const
  for (const requestId of ['request-1', 'request-2'])
    announce('requestStatusChanged', { ...change, requestId })
  await waitFor(() => expect(sent).toHaveLength(1))
  expect((times[0] ?? 0) - started).toBeGreaterThanOrEqual(495)
  announce('forceRequestCountsRefresh')
  await waitFor(() => expect(sent).toHaveLength(2))
})

it('the owner is told what cannot be read or answered, gets the request back, and answers none without a session', async () => {
  const changes = heard()
  await sayHowPaid(people.olivia)
  await storeAccess(people.olivia, planId)
  await decide('reject', await ask(people.zoe, planId))
  await ask(people.marc, planId)
  const archive = refuse('POST rpc/fetch_archived_requests', 'XX000')
  intercept('POST rpc/get_pending_requests_with_expiry', (send, attempt) => {
    if (attempt === 1) return refusal(400, 'XX000', 'broken')
    return attempt === 2 ? refusal(429, 'PT429', 'Rate limit exceeded. Please wait 1 seconds.', '1') : send()
  })
  const { user } = await openPlan()
  await toasted('error', 'Error Loading Requests', 'Failed to fetch pending requests')
  await user.click(screen.getByLabelText('Refresh join requests'))
  await toasted('warning', 'Too Many Requests', 'Rate limit exceeded. Please wait 1 seconds.')
  // The list loads by itself once the query is permitted.
  const approve = await control(/^Approve marc/)
  const card = await region('Join Requests')
  expect(archive.sent.length).toBeGreaterThan(0)
  expect(card.queryByText(/^Earlier requests/)).toBeNull()

  const answered = intercept('POST rpc/approve_subscription_request', () =>
    Promise.resolve(Response.json('Hi')),
  )
  await user.click(approve)
  await toasted('error', 'Failed to approve request', 'Invalid response from server')
  refuse('POST rpc/reject_subscription_request', 'XX000', 'The database is tired.')
  await user.click(await card.findByLabelText(/^Reject marc/))
  await toasted('error', 'Failed to reject request', 'The database is tired.')
  const again = await card.findByLabelText(/^Approve marc/)
  expect([answered.sent.length, changes]).toEqual([1, []])

  // Like a session that expires while it cannot be refreshed: its end is a second from now, and no event is sent.
  expect(again).toHaveProperty('disabled', false)
  const { session } = (await supabase().auth.getSession()).data
  if (!session) throw new Error('Nobody is signed in')
  standIn({ ...session, expires_at: Math.ceil(Date.now() / 1000) + 1 })
  await waitFor(() => expect(again).toHaveProperty('disabled', true))
  expect(card.getByLabelText(/^Reject marc/)).toHaveProperty('disabled', true)
})

it('the page of a plan becomes the member’s as soon as the request is approved, and offers no second request', async () => {
  const id = await ask(people.marc, planId)
  const { cache } = await openApp(server, `/subscription/${planId}`, { as: people.marc })
  // Lists reload at their pace here, as in production.
  vi.spyOn(timeoutManager, 'setInterval').mockRestore()
  await screen.findByText('Request sent')
  await listening(`own-requests-${people.marc.id}`)
  const offers: unknown[] = []
  const watch = new MutationObserver(() =>
    offers.push(...screen.queryAllByLabelText(/^Request to join/, { selector: 'main *' })),
  )
  watch.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => watch.disconnect())
  // Lists that have just been loaded would wait for seconds before they reload.
  await cache.refetchQueries({ queryKey: planKeys.all })
  await decide('approve', id)
  await heading('Your Subscribed Plan')
  expect(offers).toEqual([])
})

it('the requester is told of every answer, and finds each among the earlier requests', async () => {
  const { olivia, marc, zoe } = people
  const changes = heard()
  const spotify = await sharePlan(olivia, 2, 'spotify-premium-duo')
  const netflix = await ask(marc, planId)
  const duo = await ask(marc, spotify)
  await leaveHours(server, await ask(marc, await sharePlan(zoe, 2, 'tidal-family')), -1)
  const cancelled = await ask(marc, await sharePlan(zoe, 2, 'deezer-family'))
  window.localStorage.setItem('cancelled-requests', JSON.stringify([cancelled]))
  const { user } = await openApp(server, '/my-subscriptions?tab=subscribed', { as: marc })
  await screen.findByLabelText('Netflix Premium')
  await count('Notifications, 1 unread')
  // A request cancelled here stays hidden, even if the backend still returns it.
  expect(screen.getAllByRole('article')).toHaveLength(2)
  await user.click(await screen.findByText('Earlier requests (1)'))
  const list = await screen.findByLabelText('Earlier requests')
  expect(list.textContent).toMatch(/^TIDAL Family.*expired$/)
  await listening('user-notifications')
  await listening(`own-requests-${marc.id}`)
  await decide('approve', netflix)
  const approved = await screen.findByRole('link', { name: 'Request Approved' })
  expect(approved.closest('[role="status"]')?.textContent).toContain('Netflix Premium')
  await decide('reject', duo, spotify)
  await screen.findByText('Request Rejected')
  await screen.findByText("You don't have any pending subscription requests.")
  await waitFor(() => expect(list.textContent).toMatch(/Spotify Premium Duo.*rejected/))
  await waitFor(() =>
    expect(changes).toEqual([
      { requestId: netflix, status: 'approved', subscriptionId: planId },
      { requestId: duo, status: 'rejected', subscriptionId: spotify },
    ]),
  )
  const { data } = await marc.client.from('user_notifications').select('title').throwOnError()
  expect(data.filter(({ title }) => title === 'Request Expired')).toHaveLength(1)
})
