// Proves AUTH 32, MYSUB 01 03-16 18, MEMB 08, REQ 10-13 21, CHAT 09, DATA 23 24, EVT 01-03, ERR 13-17, LIMIT 05
// 10 13 14
import { testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { announce, listen } from '#lib/events.ts'
import { answer, endPlan } from '../acting.ts'
import { openApp, toasted } from '../app.tsx'
import { endPatience, hang, intercept, refuse, silenceLive } from '../network.ts'
import { control, dialog } from '../parts.ts'
import { holdPhone } from '../phone.ts'
import {
  ask,
  join,
  leaveHours,
  newPeople,
  type People,
  payOwner,
  payThroughSite,
  say,
  sharePlan,
} from '../sharing.ts'

const server = await testServer()
const { db } = server
let people: People

beforeEach(async () => {
  people = await newPeople(server)
})

const open = (who: keyof People, address = '/my-subscriptions') =>
  openApp(server, address, { as: people[who] })
const panel = () => within(screen.getByRole('tabpanel', { hidden: false }))
const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
const remembered = (key: string) => JSON.parse(window.localStorage.getItem(key) ?? 'null')
const NONE_SHARED = "You haven't shared any subscriptions yet."
const NONE_JOINED = "You haven't joined any subscriptions yet."
const NONE_AWAITED = "You don't have any pending subscription requests."

it('names what cannot be loaded, 15 seconds later at most, and loads it when asked; an empty account reads what is missing and the way on', async () => {
  // The live channel never joins in this test, because joining loads the lists again and that load would hang too.
  silenceLive()
  const patience = endPatience()
  const plans = hang('GET /rest/v1/shared_subscriptions')
  const broken = refuse('GET /rest/v1/sub', 'XX000', 'boom', 500)
  const { user, at } = await open('zoe')
  await toasted('error', 'Error', 'Failed to fetch pending requests')
  expect(screen.queryByText('Request timeout')).toBeNull()
  patience.end()
  await screen.findByText('Failed to load shared subscriptions')
  screen.getByText('Request timeout')
  screen.getByRole('heading', { level: 1, name: 'My Subscriptions' })
  screen.getByText(`Manage your subscriptions for ${people.zoe.email}`)
  plans.heal()
  await user.click(panel().getByText('Retry'))
  const ways = () =>
    panel()
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')])
  await screen.findByText(NONE_SHARED)
  expect(screen.getByRole('tab', { selected: true }).textContent).toMatch(/^My Shared Plans/)
  expect(ways()).toEqual([
    ['Create New Plan', '/create'],
    ['Share a Subscription', '/create'],
    ['Import plans from elsewhere', '/import'],
  ])
  await user.click(screen.getByText('My Subscribed Plans'))
  await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))
  await panel().findByText('Failed to load subscribed plans')
  await panel().findByText('Failed to load pending requests')
  expect(screen.queryByText(/boom/)).toBeNull()
  broken.heal()
  for (const retry of panel().getAllByText('Retry')) await user.click(retry)
  await panel().findByText(NONE_JOINED)
  await panel().findByText(NONE_AWAITED)
  expect(panel().queryByText(/^Failed to load/)).toBeNull()
  await waitFor(() => expect(tabs()).toEqual(['My Shared Plans0', 'My Subscribed Plans0']))
  const titles = panel().getAllByRole('heading', { level: 2 })
  expect(titles.map(({ textContent }) => textContent)).toEqual([
    "Plans You're Awaiting to Join",
    "Plans You've Joined",
  ])
  expect(ways()).toEqual([
    ['Browse Plans', '/available-subscriptions'],
    ['Find Subscriptions', '/available-subscriptions'],
  ])
  const refresh = () => user.click(panel().getByLabelText('Refresh subscriptions'))
  await refresh()
  await screen.findByText('Subscriptions updated')
  refuse('GET /subscription_members', 'XX000', 'boom', 500)
  await refresh()
  await screen.findByText('Failed to update subscriptions')
})

it('has shorter tabs on a phone, where a finger pulls it down to load again, as other parts may ask for', async () => {
  holdPhone()
  // The loads after the live channel joins would be counted too.
  silenceLive()
  await open('olivia')
  const page = await screen.findByRole('heading', { level: 1 })
  await screen.findByText(NONE_SHARED)
  await waitFor(() => expect(tabs()).toEqual(['My Shared0', 'Subscribed0']))
  const { sent: loads } = intercept('GET /shared_subscriptions')
  const pull = (...ways: number[]) => {
    const finger = (y: number) => ({ touches: [{ clientX: 0, clientY: y }] })
    fireEvent.touchStart(page, finger(100))
    for (const way of ways) fireEvent.touchMove(page, finger(100 + way))
  }
  const letGo = () => fireEvent.touchEnd(page, { touches: [] })
  pull(159)
  const room = screen.getByText('Pull to refresh').closest<HTMLElement>('[data-state]')
  expect(room?.style.height).toBe('79.5px')
  letGo()
  expect(screen.queryByText('Refreshing...')).toBeNull()
  pull(159, 160)
  screen.getByText('Release to refresh')
  letGo()
  screen.getByText('Refreshing...')
  await screen.findByText('Subscriptions updated')
  await waitFor(() => expect(screen.queryByText('Refreshing...')).toBeNull())
  expect(loads).toHaveLength(1)

  const planId = await sharePlan(people.olivia)
  announce('forceSubscriptionsRefresh')
  await screen.findByLabelText('Netflix Premium')
  await ask(people.marc, planId)
  announce('forceRequestCountsRefresh')
  await screen.findByText('1 request')
  await endPlan(people.olivia, planId)
  announce('subscriptionCreated', { subscriptionId: planId })
  await waitFor(() => expect(screen.queryByText('Netflix Premium')).toBeNull())
})

it('shows shared plans with their price, places and who waits, live, and leads to the owner view', async () => {
  const planId = await sharePlan(people.olivia)
  await payThroughSite(server, planId)
  const { user, at } = await open('olivia', '/my-subscriptions?tab=requests')
  const netflix = await screen.findByLabelText('Netflix Premium')
  expect(netflix.dataset.look).toBe('provider')
  expect(netflix.style.getPropertyValue('--provider-color')).toBe('#E50914')
  expect(netflix.querySelector('svg path')).toBeTruthy()
  // A share of 5.00 and 10 percent.
  expect(netflix.textContent).toMatch(/€5\.50 \/ month.*3 of 4 places open/)
  expect(netflix.textContent).not.toMatch(/request|unread/)
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('My Shared Plans1')
  await ask(people.zoe, planId)
  await screen.findByText('1 request')
  // Members who pay the owner directly pay no fee; neither will the next member.
  await payOwner(server, planId)
  await waitFor(() => expect(netflix.textContent).toMatch(/€5\.00 \/ month/))
  await join(people.olivia, people.marc, planId)
  await say(people.marc, { planId, ownerId: people.olivia.id, memberId: people.marc.id }, 'Hello')
  await screen.findByText('1 unread')
  await user.click(await control('Netflix Premium'))
  await waitFor(() => expect(at()).toBe(`/manage-shared/${planId}`))
  const kept = { id: planId, name: 'Premium', provider: 'Netflix' }
  expect([remembered(`subscription-${planId}-shared`), remembered(`subscription-${planId}`)]).toEqual([
    kept,
    null,
  ])
})

it('counts subscribed plans with the awaited ones, and an approved request moves over live', async () => {
  const { olivia, marc } = people
  await db.query(`update public.user_profiles set display_name = 'Olivia the Long' where user_id = $1`, [
    olivia.id,
  ])
  const planId = await sharePlan(olivia)
  const requestId = await ask(marc, planId)
  await join(olivia, marc, await sharePlan(olivia, 2, 'spotify-premium-duo'))
  await leaveHours(server, await ask(marc, await sharePlan(olivia, 4, 'tidal-family')), -1)
  await sharePlan(marc, 2, 'youtube-premium-family')
  const { user, at } = await open('marc', '/my-subscriptions?tab=subscribed')
  for (const [name, text] of [
    ['Netflix Premium', /Shared by Olivia the Long.*€5\.00 \/ month.*Expiring soon: 48h left/],
    ['Spotify Premium Duo', /Shared by Olivia the Long.*€9\.00 \/ month/],
  ] as const)
    expect((await screen.findByLabelText(name)).textContent).toMatch(text)
  expect(screen.getAllByRole('article')).toHaveLength(2)
  expect(tabs()).toEqual(['My Shared Plans1', 'My Subscribed Plans2'])
  await answer(olivia, 'approve', planId, requestId)
  await screen.findByText(NONE_AWAITED)
  // The status is shown only if something is wrong.
  const joined = await screen.findByLabelText('Netflix Premium')
  expect(joined.textContent).not.toMatch(/Active|Late/)
  // A payment is due once the owner has said how to pay.
  await olivia.client.from('payment_wishes').insert({ kind: 'text', note: 'Cash' }).throwOnError()
  const seat = [planId, marc.id]
  await db.query(
    'update private.seats set late_since = now() where subscription_id = $1 and member_id = $2',
    seat,
  )
  await db.query(
    `update member_payments set due_at = due_at - interval '4 days' where subscription_id = $1 and member_id = $2`,
    seat,
  )
  await within(joined).findByText(/^Late since \d+ \w+ €5\.00$/)
  await user.click(await control('Netflix Premium'))
  await waitFor(() => expect(at()).toBe(`/manage-subscribed/${planId}`))
  const kept = { id: planId, name: 'Premium', provider: 'Netflix' }
  expect([remembered(`subscription-${planId}`), remembered(`subscription-${planId}-shared`)]).toEqual([
    kept,
    null,
  ])
})

it('takes a request back: it returns when it was answered meanwhile, else is gone for good', async () => {
  const { olivia, marc } = people
  const spotify = await sharePlan(olivia, 2, 'spotify-premium-duo')
  const answered = await ask(marc, spotify)
  const requestId = await ask(marc, await sharePlan(olivia))
  const { user } = await open('marc', '/my-subscriptions?tab=subscribed')
  const cancel = async (plan: string) =>
    user.click(await screen.findByLabelText(`Cancel request to join ${plan}`))
  const confirm = () => screen.findByText('Cancel request')
  await cancel('Spotify Premium Duo')
  await user.click((await dialog('Cancel Join Request')).getByText('Keep waiting'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await cancel('Spotify Premium Duo')
  await db.query(`update public.subscription_requests set status = 'rejected' where id = $1::uuid`, [
    answered,
  ])
  await user.click(await confirm())
  await screen.findByText('Failed to cancel join request. Please try again.')
  expect(screen.queryByText('Request Cancelled')).toBeNull()

  const changes: unknown[] = []
  const refreshed = vi.fn()
  onTestFinished(listen('requestStatusChanged', (change) => changes.push(change)))
  onTestFinished(listen('forceSubscriptionsRefresh', refreshed))
  const timers = vi.spyOn(globalThis, 'setTimeout')
  await cancel('Netflix Premium')
  await user.click(await confirm())
  await toasted('success', 'Request Cancelled', 'Your request to join Netflix Premium has been cancelled.')
  await screen.findByText(NONE_AWAITED)
  await waitFor(() => expect(refreshed).toHaveBeenCalledTimes(1))
  expect(timers.mock.calls.filter(([, ms]) => ms === 300)).toHaveLength(1)
  expect(changes).toContainEqual(expect.objectContaining({ requestId, status: 'cancelled' }))
  expect(remembered('cancelled-requests')).toEqual([requestId])
  const { data } = await marc.client.from('subscription_requests').select('status').eq('id', requestId)
  expect(data).toEqual([{ status: 'cancelled' }])
})
