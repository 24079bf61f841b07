// Proves PLAN 03 04 24, DATA 24, ERR 14 18-27, LIMIT 05 07 08
import { testServer } from '@potluck/server/test/harness.ts'
import { QueryClientProvider, timeoutManager } from '@tanstack/react-query'
import { renderHook, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Member } from '#domain/members.ts'
import { useRemoveMember } from '#features/joining/memberships/memberships.mutations.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { leavePlan } from '../acting.ts'
import { openApp, toasted } from '../app.tsx'
import { abort, endPatience, failNetwork, hang, refuse } from '../network.ts'
import { control, region } from '../parts.ts'
import { join, newPeople, type People, sharePlan } from '../sharing.ts'

// Pauses between two attempts, in ms. They are made fifty times shorter, and recorded.
const PAUSES = [1000, 2000, 4000, 5000, 8000]
let pauses: number[]

const MEMBER_LIST = 'GET /subscription_members?select=user_id%2Cname'
const PLAN = 'GET /rest/v1/shared_subscriptions?'
const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  pauses = []
  const set = timeoutManager.setTimeout.bind(timeoutManager)
  vi.spyOn(timeoutManager, 'setTimeout').mockImplementation((done, ms) => {
    if (!PAUSES.includes(ms)) return set(done, ms)
    pauses.push(ms)
    return set(done, ms / 50)
  })
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
})

const open = async (who: keyof People, address = `/subscription/${planId}`) => {
  const opened = await openApp(server, address, { as: people[who] })
  await screen.findByRole('main')
  return opened
}
const main = () => within(screen.getByRole('main'))
/**
 * Makes these members leave one after the other. Each departure causes a request; once the second one is sent, the
 * answer to the first has been processed.
 */
const askTwice = async (sent: unknown[], ...leaving: ('marc' | 'zoe')[]) => {
  for (const who of leaving) {
    const before = sent.length
    await leavePlan(planId, people[who])
    await waitFor(() => expect(sent.length).toBeGreaterThan(before))
  }
}

it('a plan that does not load says so after 15 seconds, keeps the words of the database to itself, and loads when asked again', async () => {
  const patience = endPatience()
  const silence = hang(PLAN)
  const kept = JSON.stringify({ id: planId, name: 'Premium', provider: 'Netflix' })
  window.localStorage.setItem(`subscription-${planId}-shared`, kept)
  const { user } = await open('olivia')
  await main().findByText('Netflix Premium')
  expect(main().getAllByText('Loading').length).toBeGreaterThan(0)
  expect((await control('Back to My Subscriptions')).getAttribute('href')).toBe(
    '/my-subscriptions?tab=shared',
  )
  expect(screen.queryByText('Request timeout')).toBeNull()
  patience.end()
  await main().findByText('Request timeout')
  main().getByRole('heading', { name: 'Error Loading Subscription' })
  expect((await control('Go to My Subscriptions')).getAttribute('href')).toBe('/my-subscriptions')
  await toasted('error', 'Error loading subscription', 'Request timeout')

  silence.heal()
  const broken = refuse(PLAN, 'XX000', 'relation "secret_table" is broken', 500)
  const words = 'Database error: the subscription could not be read. Please try again.'
  const retry = () => user.click(main().getByText('Retry'))
  await retry()
  await main().findByText(words)
  await toasted('error', 'Error loading subscription', words)
  // The same failure of another attempt shows no second toast.
  const before = broken.sent.length
  await retry()
  await waitFor(() => expect(broken.sent.length).toBeGreaterThan(before))
  await main().findByText('Retry')
  expect(screen.getAllByText('Error loading subscription')).toHaveLength(2)
  expect(screen.queryByText(/secret_table/)).toBeNull()
  broken.heal()
  await retry()
  await main().findByRole('heading', { name: 'Premium Subscription' })
})

it('a plan stays on screen when it cannot be brought up to date, in silence when the schema does not fit', async () => {
  const { user } = await open('olivia')
  await main().findByText('2/4')
  const network = failNetwork(PLAN)
  await join(people.olivia, people.zoe, planId)
  const title = await main().findByText('Error Loading Subscription')
  const alert = within(title.closest<HTMLElement>('[role=alert]') ?? document.body)
  const words =
    "We couldn't load some of your subscription details. This might be due to network issues or access limitations."
  alert.getByText(words)
  expect(alert.getByText('Back').closest('a')?.getAttribute('href')).toBe('/my-subscriptions')
  main().getByRole('heading', { name: 'Premium Subscription' })
  await toasted('error', 'Loading Error', words)
  const retry = await alert.findByText('Retry')
  network.heal()
  await user.click(retry)
  await waitFor(() => expect(main().queryByText('Error Loading Subscription')).toBeNull())
  main().getByText('3/4')

  const { sent } = refuse(PLAN, '42703', 'column "x" does not exist')
  await askTwice(sent, 'marc', 'zoe')
  main().getByRole('heading', { name: 'Premium Subscription' })
  expect(main().queryByText('Error Loading Subscription')).toBeNull()
  expect(screen.queryAllByText('Loading Error').length).toBeLessThan(2)
})

it('an address without a plan says what is missing, and a page that could not be opened says so', async () => {
  const { user, router } = await open('olivia', '/about')
  for (const href of ['/subscription', '/subscription/%20']) {
    await router.navigate({ href })
    await main().findByText('Subscription ID is required')
    main().getByRole('heading', { name: 'Error Loading Subscription' })
    await router.navigate({ href: '/my-subscriptions' })
    await main().findByText('Netflix Premium')
  }
  // React and the router print the error to the console.
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => undefined)
  const { component } = router.routesByPath['/manage-shared/$planId'].options
  const part = Object.assign(component ?? {}, {
    preload: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
  })
  await user.click(main().getByText('Netflix Premium'))
  await main().findByRole('heading', { name: 'Failed to navigate to subscription details' })
  Reflect.deleteProperty(part, 'preload')
  await user.click(main().getByText('Try Again'))
  await main().findByRole('heading', { name: 'Premium Subscription' })
})

it('members are asked for five times, noted after three, told after five, and leave a member without the owner meanwhile', async () => {
  const network = failNetwork(MEMBER_LIST)
  const { user } = await open('olivia')
  const members = await region('Members')
  await members.findByText('Incomplete Subscription Data')
  // Retries may have been sent by now.
  expect(network.sent.length).toBeGreaterThanOrEqual(3)
  members.getByText(/^Unable to load latest member data: You seem to be offline/)
  await toasted(
    'warning',
    'Connection Issue',
    'Some subscription details may not be up to date. Please refresh if needed.',
  )
  // The count of attempts starts again if the page's live channel joins meanwhile, before or after these four.
  expect(network.sent.length).toBeGreaterThanOrEqual(5)
  expect(pauses.filter((ms) => ms !== 5000).join()).toContain('1000,2000,4000,8000')
  // The live channel may reload the list at any moment, so this finds the button before the list can load by itself.
  const reload = await members.findByText('Retry Loading')
  network.heal()
  await user.click(reload)
  await members.findByText(people.marc.email)
  expect(members.queryByText('Incomplete Subscription Data')).toBeNull()

  const again = failNetwork(MEMBER_LIST)
  const member = await open('marc')
  const owner = await region('Plan Owner')
  await owner.findByText('Failed to load owner details')
  await server.db.query('delete from public.subscription_members where is_owner and subscription_id = $1', [
    planId,
  ])
  const retry = await owner.findByText('Retry')
  again.heal()
  await member.user.click(retry)
  // The plan itself names its owner.
  await owner.findByText(/^olivia/i)
})

it('members that fail for the schema leave the owner alone on the plan, without a word, and are asked for once more; not missed where the browser gave up', async () => {
  const schema = refuse(MEMBER_LIST, '42501', 'permission denied for table subscription_members', 403)
  await open('olivia')
  const members = await region('Members')
  const rows = await members.findAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Owner')])
  await waitFor(() => expect(schema.sent).toHaveLength(2))
  // Other lists may also pause for 5000 ms.
  expect(new Set(pauses)).toEqual(new Set([5000]))
  schema.heal()
  const { sent } = abort(MEMBER_LIST)
  await askTwice(sent, 'marc')
  expect(new Set(pauses)).toEqual(new Set([5000]))
  for (const told of ['Incomplete Subscription Data', 'Connection Issue'])
    expect(screen.queryByText(told)).toBeNull()
})

it('removing somebody needs a session and the plan, and is done when they had left meanwhile', async () => {
  const marc = { userId: people.marc.id, displayName: 'Marc' } as Member
  const removeMarc = () => {
    const { result } = renderHook(() => useRemoveMember(planId), {
      wrapper: ({ children }) => (
        <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>
      ),
    })
    result.current.mutate(marc)
  }
  const { client: browser } = await open('zoe', '/about')
  removeMarc()
  await toasted('error', 'Permission Denied', 'Only the subscription owner can remove members')
  await browser.auth.signOut()
  removeMarc()
  await toasted('error', 'You must be logged in to remove members')
  await open('olivia', '/about')
  await leavePlan(planId, people.marc)
  removeMarc()
  await toasted('success', 'Member Removed', 'Marc has been removed from the subscription.')
})
