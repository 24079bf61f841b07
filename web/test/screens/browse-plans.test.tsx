import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { announce, listen } from '#lib/events.ts'
import { standIn } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { listening, openApp, toasted } from '../app.tsx'
import { watchEnds } from '../ends.ts'
import { failNetwork, intercept, refuse } from '../network.ts'
import { ask, join, leaveHours, payThroughSite, sharePlan } from '../sharing.ts'

const server = await testServer()
const signUp = (name: string) => addUser(server, `${name}@potluck.example`)
let olivia: TestUser
let zoe: TestUser
let netflix: string
let people = 0

beforeAll(async () => {
  olivia = await signUp('olivia')
  netflix = await sharePlan(olivia, 3)
  await payThroughSite(server, netflix)
  await sharePlan(olivia, 2, 'spotify-premium-family')
})
beforeEach(async () => {
  people += 1
  zoe = await signUp(`zoe${people}`)
})

const open = (address: string, person = zoe) =>
  openApp(server, `/available-subscriptions${address}`, { as: person })
const only = (provider: string) => `?category=all&provider=${provider}`
const request = (plan: string) => screen.findByLabelText(new RegExp(`^Request to join ${plan}`))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
async function cardOf(plan: string): Promise<HTMLElement> {
  const title = await screen.findByRole('heading', { level: 3, name: plan })
  const card = title.closest<HTMLElement>('.mantine-Card-root')
  if (!card) throw new Error(`${plan} is not on a card`)
  return card
}

it('goes from categories to providers to plans, finds by name, and leads to /create from every step', async () => {
  const counts = refuse('POST rpc/count_available_plans', 'XX000')
  const { user, at } = await open('')
  const share = async () => (await screen.findByText('Share a plan')).closest('a')?.getAttribute('href')
  const again = await screen.findByText('Try Again')
  counts.heal()
  await user.click(again)
  const streaming = await screen.findByRole('button', { name: /^Streaming/ })
  expect(streaming.textContent).toMatch(/1 available$/)
  expect(await share()).toBe('/create')
  await user.click(streaming)
  await user.click(await screen.findByRole('button', { name: /^Netflix.*1 available$/ }))
  expect((await cardOf('Premium')).textContent).toMatch(
    /Netflix.*€5\.50.*per month.*2 of 3 places open.*olivia/,
  )
  expect(at()).toBe('/available-subscriptions?category=streaming&provider=Netflix')
  expect(await share()).toBe('/create')
  await user.click(screen.getByRole('button', { name: 'Providers' }))
  await screen.findByRole('heading', { level: 2, name: 'Choose a provider' })
  expect(await share()).toBe('/create')
  await user.click(screen.getByRole('button', { name: 'Categories' }))
  const search = await screen.findByRole('searchbox', { name: 'Search by provider or plan' })
  await user.type(search, 'spot')
  await cardOf('Premium Family')
  expect(screen.queryByRole('heading', { level: 3, name: 'Premium' })).toBeNull()
  expect(at()).toBe('/available-subscriptions?q=spot')
  await user.type(search, '100%_*')
  await screen.findByText('No plan matches "spot100%_*"')
  expect(screen.queryByText('No subscriptions available at the moment')).toBeNull()
})

it('asks for a place, says what it would cost, and offers nothing once the session has ended', async () => {
  await leaveHours(server, await ask(zoe, netflix), -1)
  const { user, at, router } = await open(only('Netflix'))
  const sent = vi.fn()
  const stop = listen('subscriptionRequestSent', sent)
  const wish = await request('Netflix Premium of olivia')
  expect(wish.textContent).toBe('Request to join')
  await user.click(wish)
  const form = await dialog('Request to join')
  expect(form.getByText(/^You would pay/).textContent).toMatch(
    /^You would pay €5\.50 per month, fee included\. .* will see your name and e-mail address\.$/,
  )
  // More beside it: what that is made of, when it is paid, and that nobody is bound.
  expect((await form.findByRole('region', { name: 'What it costs' })).textContent).toMatch(
    /^Share, to olivia€5\.00Fee€0\.50Each month€5\.50Charged when olivia approves\..*You can leave at any time\.$/,
  )
  await user.type(form.getByLabelText('Message (optional)'), 'Hello Olivia')
  const network = failNetwork('POST /subscription_requests')
  await user.click(form.getByText('Send request'))
  await toasted('error', 'Request failed', 'An unexpected error occurred')
  network.heal()
  await user.click(form.getByText('Send request'))
  const done = await screen.findByRole('dialog', { name: 'Subscription Request Sent' })
  expect(done.textContent).toMatch(/Netflix Premium.*Shared byolivia.*Monthly cost, fee included€5\.50/)
  // It says so itself; what had failed before is no longer said.
  await waitFor(() => expect(document.querySelectorAll('[data-kind]')).toHaveLength(0))
  const asked = await within(await cardOf('Premium')).findByRole('button', { name: 'Request sent' })
  expect(asked).toHaveProperty('disabled', true)
  expect(sent.mock.calls).toEqual([[{ subscriptionId: netflix }]])
  stop()
  const { data } = await zoe.client
    .from('subscription_requests')
    .select('subscription_id, message')
    .eq('expired', false)
  expect(data).toEqual([{ subscription_id: netflix, message: 'Hello Olivia' }])
  await user.click(within(done).getByRole('link', { name: 'Go to My Subscriptions' }))
  await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))

  await router.navigate({ href: `/available-subscriptions${only('Spotify')}` })
  await request('Spotify Premium Family')
  const { session } = (await supabase().auth.getSession()).data
  if (!session) throw new Error('Nobody is signed in')
  standIn({ ...session, expires_at: Math.ceil(Date.now() / 1000) + 1 })
  const over = await screen.findByRole('button', { name: 'Request to join' })
  expect([over.getAttribute('aria-disabled'), over.hasAttribute('data-disabled')]).toEqual(['true', true])
  await user.hover(over)
  expect((await screen.findByRole('tooltip')).textContent).toBe('Sign in to request membership')
  await user.click(over)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('says why a place cannot be had, and shows it; one that opens is offered live', async () => {
  const marc = await signUp(`marc${people}`)
  const family = await sharePlan(marc, 2, 'deezer-family')
  const { user } = await open(only('Deezer'))
  await user.click(await request('Deezer Family'))
  await ask(zoe, family)
  await user.click(await screen.findByText('Send request'))
  await screen.findByText('Request Already Sent')
  await screen.findByRole('button', { name: 'Request sent' })
  await join(marc, await signUp(`paul${people}`), family)
  await open(only('Deezer'), olivia)
  expect(await screen.findByRole('button', { name: 'No spots available' })).toHaveProperty('disabled', true)
  await listening('available-plans')
  await marc.client
    .from('shared_subscriptions')
    .update({ owner_max_members: 3 })
    .eq('id', family)
    .throwOnError()
  await request('Deezer Family')
})

it('offers no place that is kept for somebody else, but to whom it is kept for', async () => {
  const [vera, walt] = [await signUp(`vera${people}`), await signUp(`walt${people}`)]
  const plan = await sharePlan(vera, 3, 'dropbox-family')
  const invite = (p_email: string) =>
    vera.client.rpc('invite_member', { p_subscription_id: plan, p_email }).throwOnError()
  await invite(walt.email)
  const { user } = await open(only('Dropbox'))
  const wish = await request('Dropbox Family')
  await screen.findByText('1 of 3 places open')

  // The last place is kept while she is about to ask.
  await user.click(wish)
  await invite(`late${people}@example.com`)
  await user.click(await screen.findByText('Send request'))
  await screen.findByText('Every open place is kept for somebody.')
  const full = await screen.findByRole('button', { name: 'No spots available' })
  expect(full).toHaveProperty('disabled', true)
  expect(screen.getByText('Full, 3 people')).toBeTruthy()
  expect((await zoe.client.from('subscription_requests').select('id')).data).toEqual([])

  await open(only('Dropbox'), walt)
  await screen.findByText('1 of 3 places open')
  await request('Dropbox Family')
})

it('shows owners their own plans with the way to manage them', async () => {
  const rosa = await signUp(`rosa${people}`)
  const plan = await sharePlan(rosa, 3, 'tidal-family')
  await open(only('TIDAL'), rosa)
  const card = within(await cardOf('Family'))
  expect((await card.findByText('Manage Subscription')).closest('a')?.getAttribute('href')).toBe(
    `/manage-shared/${plan}`,
  )
  await ask(zoe, plan)
  await card.findByText('View Requests')
  expect(card.queryByRole('button', { name: /Request/ })).toBeNull()
})

it('lists those with a place first, and counts the others with them', async () => {
  const share = async (name: string, places: number) => {
    const person = await signUp(`${name}${people}`)
    return { person, plan: await sharePlan(person, places, 'paramount-plus-premium') }
  }
  await share('sam', 3)
  const tom = await share('tom', 2)
  await join(tom.person, zoe, tom.plan)
  await share('uma', 3)
  const { user } = await open('?category=streaming')
  await user.click(await screen.findByRole('button', { name: /^Paramount\+.*3 plans, 2 available$/ }))
  for (const address of [only('Paramount%2B'), '?q=paramount']) {
    await open(address)
    const owners = () =>
      screen.queryAllByText(/^(sam|tom|uma)\d+$/).map((name) => name.textContent?.slice(0, 3))
    await waitFor(() => expect(owners()).toEqual(['uma', 'sam', 'tom']))
  }
})

it('collects changes before it loads again, and then waits, unless it is made to', async () => {
  await open('')
  await screen.findByRole('button', { name: /^Streaming/ })
  await listening('available-plans')
  // What may have changed before the channel was joined is loaded first.
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
  await pause(1_000)
  const loads: number[] = []
  intercept('POST rpc/count_available_plans', (send) => {
    loads.push(Date.now())
    return send()
  })
  const began = Date.now()
  const change = async () => {
    await server.db.query('update public.shared_subscriptions set next_payment = next_payment + 1')
  }
  for (let n = 0; n < 3; n++) await change()
  await waitFor(() => expect(loads).toHaveLength(1))
  expect((loads[0] ?? 0) - began).toBeGreaterThanOrEqual(500)
  await change()
  await pause(1_600)
  expect(loads).toHaveLength(1)
  announce('forceSubscriptionsRefresh')
  await waitFor(() => expect(loads).toHaveLength(2))
  await waitFor(() => expect(loads).toHaveLength(3))
  expect((loads[2] ?? 0) - (loads[0] ?? 0)).toBeGreaterThanOrEqual(4_900)
})

it('lists all, newest first, while plans come and go, by keyboard, by scrolling and after a failure', async () => {
  const ends = watchEnds()
  const { db } = server
  await db.query(`insert into auth.users (email, raw_user_meta_data)
    select 'n' || n || '@crowd.example', jsonb_build_object('name', 'n' || n)
    from generate_series(10, 74) as n`)
  await db.query(`insert into public.shared_subscriptions
      (owner_id, catalogue_plan_id, owner_max_members, next_payment, created_at)
    select id, 'nordvpn-plus-2-year', 2, current_date + 9, now() - row_number() over (order by email) * interval '1 day'
    from auth.users where email like '%@crowd.example'`)
  const { user } = await open(only('NordVPN'))
  const owners = () => screen.queryAllByText(/^(n\d\d|nina.*)$/).map(({ textContent }) => textContent)
  const expected = Array.from({ length: 65 }, (_, n) => `n${n + 10}`)
  await waitFor(() => expect(owners()).toEqual(expected.slice(0, 20)))
  expect(await screen.findAllByLabelText(/^Request to join NordVPN/)).toHaveLength(20)

  // The last one listed goes, one further down goes, and a new one comes to the top.
  const cancel = (name: string) =>
    db.query(
      `delete from public.shared_subscriptions where owner_id = (select id from auth.users where email = $1)`,
      [`${name}@crowd.example`],
    )
  await sharePlan(await signUp('nina'), 2, 'nordvpn-plus-2-year')
  await waitFor(() => expect(owners()).toEqual(['nina', ...expected.slice(0, 19)]))
  await cancel('n28')
  await cancel('n41')
  const left = expected.filter((name) => name !== 'n28' && name !== 'n41')
  await waitFor(() => expect(owners()).toEqual(['nina', ...left.slice(0, 18)]))

  const more = () => screen.getByRole('button', { name: 'Load more plans' })
  const broken = refuse('GET /shared_subscriptions', '57014', 'canceling statement', 500)
  more().focus()
  await user.keyboard('{Enter}')
  const again = await screen.findByText('Try Again')
  expect(owners()).toEqual(['nina', ...left.slice(0, 18)])
  broken.heal()
  await user.click(again)
  await waitFor(() => expect(owners()).toEqual(['nina', ...left.slice(0, 38)]))
  ends.reach(more())
  await waitFor(() => expect(owners()).toEqual(['nina', ...left]))
  expect(screen.queryByRole('button', { name: 'Load more plans' })).toBeNull()
})

it('says of a plan that is paid to its owner what a month costs and when it is due, to the cent of a year', async () => {
  const yearly = await sharePlan(olivia, 6, 'microsoft-365-family')
  const { user } = await openApp(server, `/subscription/${yearly}`, { as: zoe })
  await user.click(await request('Microsoft 365 Family'))
  const form = await dialog('Request to join')
  expect((await form.findByRole('region', { name: 'What it costs' })).textContent).toMatch(
    /^Share, to olivia€1\.\d\dFee€0\.00Each month€1\.\d\dA year costs €\d+\.\d\d, paid in 12 months of €1\.\d\d( or €1\.\d\d)?\.You pay olivia directly: the first month when olivia approves.*You can leave at any time\.$/,
  )
  // Asking tells, once, where one's days begin.
  const zones = () =>
    server.db.query(`select zone from private.time_zones where user_id = $1::uuid`, [zoe.id])
  await user.click(form.getByText('Send request'))
  await screen.findByRole('dialog', { name: 'Subscription Request Sent' })
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  expect(await zones()).toEqual([{ zone: timeZone }])
})
