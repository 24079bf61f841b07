// Plans that others share: finding one step by step or in one list, asking for a place, and why a place is unavailable.
// Proves PLAN 14, REQ 01-05 07 08, BROWSE 01-07, EVT 08 10, ERR 33 34, PAY 01
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { announce, listen } from '#lib/events.ts'
import { standIn } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { changePlan, endPlan, hideOtherPlans } from '../acting.ts'
import { listening, openApp, toasted } from '../app.tsx'
import { watchEnds } from '../ends.ts'
import { failNetwork, hold, intercept, refuse } from '../network.ts'
import { control, dialog, heading, region } from '../parts.ts'
import { mailedLink, nameOf, newPerson } from '../people.ts'
import { ask, join, leaveHours, payThroughSite, sayingHowPaid, sharePlan } from '../sharing.ts'

const server = await testServer()
const { db } = server
let olivia: TestUser
let zoe: TestUser

beforeEach(async () => {
  await hideOtherPlans(server)
  ;[olivia, zoe] = [await newPerson(server, 'olivia'), await newPerson(server, 'zoe')]
})

const open = (address: string, as = zoe) => openApp(server, address, { as })
const only = (provider: string) => `/plans?service=${provider}`
const request = (plan: string) => control(new RegExp(`^Request to join ${plan}`))
const cardOf = async (plan: string) => {
  const title = await screen.findByRole('heading', { level: 3, name: plan })
  const card = title.closest<HTMLElement>('.mantine-Card-root')
  if (!card) throw new Error(`${plan} is not on a card`)
  return card
}
const agreement = async () => (await screen.findByRole('region', { name: 'What you agree to' })).textContent

it('narrows one list from a category to a provider, those with a place first, finds by name, and leads to /create', async () => {
  const share = async (name: string, places: number) => {
    const person = await newPerson(server, name)
    return { person, plan: await sharePlan(person, places, 'paramount-plus-premium') }
  }
  await share('sam', 3)
  const tom = await share('tom', 2)
  await join(tom.person, olivia, tom.plan)
  await share('uma', 3)
  await sharePlan(olivia, 2, 'spotify-premium-family')
  const plans = refuse('POST rpc/market_plans', 'XX000')
  const { user, at, router } = await open('/available-subscriptions')
  const again = await screen.findByText('Try Again')
  plans.heal()
  await user.click(again)
  const owners = () =>
    screen.queryAllByText(/^(olivia|sam|tom|uma)\d+$/).map((name) => name.textContent?.slice(0, 3))
  const lists = (...names: string[]) => waitFor(() => expect(owners()).toEqual(names))
  const steps = () =>
    screen
      .getAllByRole('heading', { level: 2 })
      .map(({ textContent }) => textContent)
      .filter((title) => title !== 'Plan alerts')
  await lists('oli', 'uma', 'sam', 'tom')
  screen.getByText('Those with a place first, then the newest.')
  expect([at(), steps()]).toEqual(['/plans', ['Choose a category', 'Available plans']])
  expect((await screen.findByText('Share a plan')).closest('a')?.getAttribute('href')).toBe('/create')
  expect(screen.queryByText('Gaming')).toBeNull()
  const { sent } = intercept('POST rpc/count_available_plans')
  announce('forceSubscriptionsRefresh')
  await waitFor(() => expect(sent.length).toBeGreaterThan(0))
  await user.click(await control('Streaming 3 plans'))
  await lists('uma', 'sam', 'tom')
  expect(steps()).toEqual(['Choose a category', 'Choose a provider', 'Available plans'])
  await user.click(await control('Paramount+ 3 plans'))
  await waitFor(() => expect(at()).toBe('/plans?category=streaming&service=Paramount%2B'))
  router.history.back()
  await control('Paramount+ 3 plans')
  await user.click(await control('Streaming 3 plans Remove'))
  await lists('oli', 'uma', 'sam', 'tom')
  await user.type(await screen.findByLabelText('Search for a plan'), 'paramount')
  await lists('uma', 'sam', 'tom')
  expect(at()).toBe('/plans?q=paramount')
  await user.type(screen.getByLabelText('Search for a plan'), '100%_*')
  await screen.findByText('No plan matches "paramount100%_*"')
  await waitFor(() => expect(document.querySelector('[data-announcer]')?.textContent).toBe('Nothing found'))
  expect(screen.queryByText('No subscriptions available at the moment')).toBeNull()
  // A former URL of the list of plans.
  await router.navigate({ href: '/available-subscriptions?category=streaming&provider=Paramount%2B' })
  await waitFor(() => expect(at()).toBe('/plans?category=streaming&service=Paramount%2B'))
  await lists('uma', 'sam', 'tom')
  await user.click(await control('Music 1 plan'))
  await waitFor(() => expect(at()).toBe('/plans?category=music'))
  await waitFor(() => expect(document.querySelector('[data-announcer]')?.textContent).toBe('1 result'))
})

it('asks for a place, says what it would cost, and offers nothing once the session has ended', async () => {
  const netflix = await sharePlan(olivia, 3)
  await payThroughSite(server, netflix)
  const yearly = await sharePlan(olivia, 6, 'microsoft-365-family')
  await leaveHours(server, await ask(zoe, netflix), -1)
  const { user, at, router } = await open(only('Netflix'))
  const sent: unknown[] = []
  onTestFinished(listen('subscriptionRequestSent', (detail) => sent.push(detail)))
  expect((await cardOf('Netflix Premium')).textContent).toMatch(
    /Netflix.*€5\.50.*per month.*2 of 3 places open.*olivia/,
  )
  // Any page stores the device's time zone if the person has none.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  await waitFor(async () =>
    expect(await db.query('select zone from private.time_zones where user_id = $1::uuid', [zoe.id])).toEqual([
      { zone: timeZone },
    ]),
  )
  const wish = await request(`Netflix Premium of ${nameOf(olivia)}`)
  expect(wish.textContent).toBe('Request to join')
  await user.click(wish)
  const form = await dialog('Request to join')
  form.getByText(/^olivia\d+ has 48 hours to answer and sees your name and email\.$/)
  expect(await agreement()).toMatch(
    /^ServiceNetflix Premium, shared by olivia\d+Price€5\.50 a monthPaymentCharged when olivia\d+ approves; we tell you 3 days before each renewalTermMonth by month until you leave, at once or at the end of a monthSold byolivia\d+ \(private person\): the place, €5\.00\. Potluck Test: its service, €0\.50Right to withdrawWithin 14 days, without a reason$/,
  )
  // The agreement is right above the button, which states the price that Zoe agrees to pay.
  const send = form.getByRole('button', { name: 'Ask to join; pay €5.50 when approved' })
  expect(send.parentElement?.textContent).toContain(await agreement())
  expect(document.activeElement?.tagName).toBe('FORM')
  await user.type(form.getByLabelText('Message (optional)'), 'Hello Olivia')
  await user.click(form.getByLabelText(/^Please begin at once\./))
  const network = failNetwork('POST /subscription_requests')
  await user.click(send)
  await toasted('error', 'Request failed', 'An unexpected error occurred')
  network.heal()
  await user.click(send)
  const done = await screen.findByRole('dialog', { name: 'Subscription Request Sent' })
  expect(done.textContent).toMatch(/Netflix Premium.*Shared byolivia\d+.*Monthly cost, fee included€5\.50/)
  await toasted('success', 'Request Sent')
  // The earlier error is no longer shown.
  const said = '[data-kind=error]'
  await waitFor(() => expect(document.querySelectorAll(said)).toHaveLength(0))
  expect(await control('Request sent')).toHaveProperty('disabled', true)
  expect(sent).toEqual([{ subscriptionId: netflix }])
  const requests = zoe.client.from('subscription_requests')
  const { data } = await requests.select('subscription_id, message').eq('expired', false)
  expect(data).toEqual([{ subscription_id: netflix, message: 'Hello Olivia' }])
  await user.click(within(done).getByText('Go to My Subscriptions'))
  await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))

  await router.navigate({ href: `/subscription/${yearly}` })
  await user.click(await request('Microsoft 365 Family'))
  expect(await agreement()).toMatch(
    /Price€\d+\.\d\d a year, in 12 monthly payments of €1\.\d\d( or €1\.\d\d)?, no feePaymentTo olivia\d+ directly, once approved.*Sold byolivia\d+ \(private person\); .* is not part of the contractRight to withdrawNot between private people$/,
  )
  await control(/^Ask to join; pay olivia\d+ €1\.\d\d a month \(€\d+\.\d\d a year\)$/)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { session } = (await supabase().auth.getSession()).data
  if (!session) throw new Error('Nobody is signed in')
  standIn({ ...session, expires_at: Math.ceil(Date.now() / 1000) + 1 })
  const over = await control('Request to join')
  expect([over.getAttribute('aria-disabled'), over.hasAttribute('data-disabled')]).toEqual(['true', true])
  await user.hover(over)
  expect((await screen.findByRole('tooltip')).textContent).toBe('Sign in to request membership')
  await user.click(over)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('offers no place that is kept for somebody else or taken, says so when that happens meanwhile, and follows live', async () => {
  const walt = await newPerson(server, 'walt')
  const plan = await sharePlan(olivia, 3, 'dropbox-family')
  await payThroughSite(server, plan)
  const invite = (p_email: string) =>
    sayingHowPaid(olivia, () =>
      olivia.client.rpc('invite_member', { p_subscription_id: plan, p_email }).throwOnError(),
    )
  await invite(walt.email)
  const { user } = await open(only('Dropbox'))
  await screen.findByText('1 of 3 places open')
  await listening('available-plans')
  expect((await cardOf('Dropbox Family')).textContent).toContain('€3.66')
  // The owner proposes other terms, without the fee.
  await olivia.client.rpc('propose_terms', { p_subscription_id: plan, p_settlement: 'direct' }).throwOnError()
  await waitFor(async () => expect((await cardOf('Dropbox Family')).textContent).toContain('€3.33'))
  // The last place is reserved for an invited person just before Zoe asks.
  await user.click(await request('Dropbox Family'))
  let send = await screen.findByText(/^Ask to join/)
  // Zoe presses before the page has received the change.
  const lists = hold('POST rpc/market_plans')
  await invite(`late-${nameOf(zoe)}@example.com`)
  await user.click(send)
  await screen.findByText('The last places are reserved.')
  lists.letGo()
  expect(await control('No spots available')).toHaveProperty('disabled', true)
  screen.getByText('Full, 3 people')
  expect((await zoe.client.from('subscription_requests').select('id')).data).toEqual([])
  await changePlan(olivia, plan, { owner_max_members: 4 })
  await user.click(await request('Dropbox Family'))
  send = await screen.findByText(/^Ask to join/)
  const requests = hold('GET /rest/v1/subscription_requests')
  await ask(zoe, plan)
  await user.click(send)
  await screen.findByText('Request Already Sent')
  requests.letGo()
  await control('Request sent')

  await open(only('Dropbox'), walt)
  await screen.findByText('A place is kept for you')
  await request('Dropbox Family')
})

it('lists all, newest first, while plans come and go, by scrolling and after a failure', async () => {
  const ends = watchEnds()
  onTestFinished(
    async () => void (await db.query(`delete from shared_subscriptions where provider = 'NordVPN'`)),
  )
  await db.query(`insert into auth.users (email, raw_user_meta_data)
    select 'n' || n || '@crowd.example', jsonb_build_object('name', 'n' || n)
    from generate_series(10, 31) as n`)
  await db.query(`insert into public.shared_subscriptions
      (owner_id, catalogue_plan_id, owner_max_members, next_payment, created_at)
    select id, 'nordvpn-plus-2-year', 2, current_date + 9, now() - row_number() over (order by email) * interval '1 day'
    from auth.users where email like '%@crowd.example'`)
  const { user } = await open(only('NordVPN'))
  const owners = () => screen.queryAllByText(/^(n\d\d|nina.*)$/).map(({ textContent }) => textContent)
  const expected = Array.from({ length: 22 }, (_, n) => `n${n + 10}`)
  await waitFor(() => expect(owners()).toEqual(expected.slice(0, 12)))
  expect(await screen.findAllByLabelText(/^Request to join NordVPN/)).toHaveLength(12)

  // The last listed plan is removed, one further down is removed, and a new one appears at the top.
  const cancel = (...names: string[]) =>
    db.query(
      `delete from public.shared_subscriptions where owner_id in (select id from auth.users where email = any (string_to_array($1, ',')))`,
      [names.map((name) => `${name}@crowd.example`).join()],
    )
  const nina = await newPerson(server, 'nina')
  await sharePlan(nina, 2, 'nordvpn-plus-2-year')
  await waitFor(() => expect(owners()).toEqual([nameOf(nina), ...expected.slice(0, 11)]))
  await cancel('n20', 'n30')
  const left = [nameOf(nina), ...expected.filter((name) => name !== 'n20' && name !== 'n30')]
  // A list loaded again for Nina's plan after the removal has a twelfth plan.
  const first = () => left.slice(0, Math.max(11, Math.min(owners().length, 12)))
  await waitFor(() => expect(owners()).toEqual(first()))

  const broken = refuse('POST rpc/market_plans', '57014', 'canceling statement', 500)
  ends.reach(screen.getByText('Load more plans').closest('button') as HTMLElement)
  const again = await screen.findByText('Try Again')
  expect(owners()).toEqual(first())
  broken.heal()
  await user.click(again)
  // A change that arrives meanwhile loads the first plans again; the end of the list is then reached once more.
  await waitFor(() => {
    const more = screen.queryByText('Load more plans')?.closest('button')
    if (more) ends.reach(more)
    expect(owners()).toEqual(left)
  })
  expect(screen.queryByText('Load more plans')).toBeNull()
})

const titles = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
const shows = (...names: string[]) => waitFor(() => expect(titles()).toEqual(names))

it('shows a visitor every plan with a place, and follows what they choose into the address and back', async () => {
  const netflix = await sharePlan(olivia, 3)
  await payThroughSite(server, netflix)
  await sharePlan(olivia, 2, 'spotify-premium-family')
  await sharePlan(zoe, 6, 'microsoft-365-family')
  const all = ['Microsoft 365 Family (annual)', 'Spotify Premium Family', 'Netflix Premium']
  const plans = refuse('POST rpc/market_plans', 'XX000')
  const { user, at, router } = await openApp(server, '/plans')
  const choose = (field: string, choice: string) => user.selectOptions(screen.getByLabelText(field), choice)
  const again = await screen.findByText('Try Again')
  plans.heal()
  await user.click(again)
  await shows(...all)
  const card = screen
    .getByRole('heading', { level: 3, name: 'Netflix Premium' })
    .closest('.mantine-Card-root')
  expect(card?.textContent).toMatch(
    /Netflix.*€5\.50.*per month.*Save €14\.49.*2 of 3 places open.*olivia.*New/,
  )
  await choose('Sort by', 'Cheapest first')
  await screen.findByText('Those with a place first, then the cheapest.')
  await shows(...all)
  await choose('Price per month', '5')
  await shows('Microsoft 365 Family (annual)', 'Spotify Premium Family')
  await user.click(await control('Music 1 plan'))
  await shows('Spotify Premium Family')
  await choose('Payment', 'Through Potluck')
  await screen.findByText('No plan like that')
  expect(at()).toBe('/plans?category=music&max=5&pay=site&sort=price')
  await user.click(await control('Remove Payment: Through Potluck'))
  await shows('Spotify Premium Family')
  await user.click(await control('Filters (1)'))
  const sheet = await dialog('Filters')
  await user.selectOptions(sheet.getByLabelText('Owner'), 'Trusted')
  await user.click(sheet.getByText('Show plans'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(at()).toBe('/plans?category=music&max=5&level=trusted&sort=price')
  await user.click(await control('See all plans'))
  await shows(...all)
  await user.type(screen.getByRole('searchbox'), 'netf')
  await shows('Netflix Premium')
  await user.clear(screen.getByRole('searchbox'))
  await shows(...all)
  await db.query(`update public.shared_subscriptions set instant_from = 'new' where id = $1`, [netflix])
  await choose('Approval', 'Instant')
  await shows('Netflix Premium')
  expect(at()).toBe('/plans?instant=true')
  screen.getByText('Instant', { selector: '.mantine-Badge-label' })
  await choose('Owner', 'Trusted')
  await screen.findByText('No plan like that')
  expect(at()).toBe('/plans?level=trusted&instant=true')
  await router.navigate({ href: '/plans?service=Microsoft%20365&max=nonsense&pay=never&level=new&instant=1' })
  await shows('Microsoft 365 Family (annual)')
})

it('leads a visitor from a card to the plan and through signing in to the request, and owners to what is theirs', async () => {
  const netflix = await sharePlan(olivia, 3)
  await payThroughSite(server, netflix)
  const rita = await newPerson(server, 'rita')
  const full = await sharePlan(rita, 2, 'deezer-family')
  await join(rita, await newPerson(server, 'nina'), full)
  const { user, at, router, cache } = await openApp(server, '/plans?service=Netflix')
  await user.click(await request(`Netflix Premium of ${nameOf(olivia)}`))
  await heading('Netflix Premium')
  expect(at()).toBe(`/plans/${netflix}?ask=true`)
  expect(document.title).toBe('Netflix Premium · Potluck')
  const place = screen.getByRole('region', { name: 'Price and places' })
  expect(place.textContent).toMatch(
    /€5\.50 a month, all in.*Share, to olivia\d+€5\.00Fee€0\.50Each month€5\.50/,
  )
  expect(document.body.textContent).not.toContain(olivia.email)
  const otherWay = async () =>
    decodeURIComponent((await screen.findByText(/^Use a password/)).getAttribute('href') ?? '')
  expect(await otherWay()).toBe(`/signin?redirect=/plans/${netflix}?ask=true`)
  await user.click(await control('Email me a link'))
  screen.getByText('Please enter a valid email address')
  await user.type(screen.getByLabelText('First name (optional)'), 'Vera')
  await user.type(screen.getByLabelText('Email'), 'vera@new.example')
  await user.click(await control('Email me a link'))
  await heading('Check your email')
  const mail = (await server.outbox()).find(({ to }) => to === 'vera@new.example')
  expect(mailedLink(mail?.text)).toContain(encodeURIComponent(`/plans/${netflix}?ask=true`))
  expect(
    await server.db.query(`select display_name as name from user_profiles join auth.users on id = user_id
      where email = 'vera@new.example'`),
  ).toEqual([{ name: 'Vera' }])
  await user.click(screen.getByText('Change email'))
  await waitFor(() => expect(at()).toBe(`/plans/${netflix}`))
  await user.click(await control(`Ask ${nameOf(olivia)} a question`))
  expect(await otherWay()).toBe(`/signin?redirect=/plans/${netflix}`)
  await router.navigate({ href: `/plans/${full}` })
  await control(/^Join the waiting list of Deezer/)
  await endPlan(rita, full)
  await router.navigate({ href: '/about' })
  await cache.invalidateQueries()
  await router.navigate({ href: `/plans/${full}` })
  await heading('We can’t find this plan')
  const others = await region('Plans with a place')
  expect(others.getAllByRole('link', { name: /^See the plan/ })).toHaveLength(1)

  const asking = await openApp(server, `/plans/${netflix}?ask=true`, { as: zoe })
  await asking.user.click((await dialog('Request to join')).getByLabelText('Close'))
  // The form opens by itself only once: not again when a request is cancelled or answered.
  const sent = await ask(zoe, netflix)
  await control('Request sent')
  await zoe.client.from('subscription_requests').update({ status: 'cancelled' }).eq('id', sent).throwOnError()
  await control(/^Request to join/)
  await expect(screen.findByRole('dialog', {}, { timeout: 500 })).rejects.toThrow()
  const owner = await openApp(server, `/plans/${netflix}`, { as: olivia })
  await screen.findByText(/^This is how others see your plan/)
  expect(screen.queryByText('Ask a question')).toBe(null)
  await control('Manage Subscription')
  await owner.router.navigate({ href: only('Netflix') })
  expect((await control('Manage Subscription')).getAttribute('href')).toBe(`/manage-shared/${netflix}`)
  await ask(zoe, netflix)
  await control('View Requests')
  expect(within(await cardOf('Netflix Premium')).queryByRole('button', { name: /Request/ })).toBeNull()
  await owner.router.navigate({ href: only('Deezer') })
  await screen.findByText('No subscriptions available at the moment')
})

it('tells whoever looks for a plan once there is one, lists what they look for, and stops', async () => {
  const { user } = await open(only('Deezer'))
  await screen.findByText('No subscriptions available at the moment')
  await user.click(await control('Tell me about new plans'))
  await toasted('success', 'Alert Set', 'We’ll tell you when a place opens, for 90 days.')
  await sharePlan(olivia, 3, 'deezer-family')
  await db.query('select private.run_due_work()')
  const told = zoe.client.from('user_notifications').select('message').eq('title', 'Plan Found')
  expect((await told).data).toHaveLength(1)
  await user.click(await control('Stop alerts for Deezer'))
  await waitFor(() => expect(screen.queryByText('Plan alerts')).toBeNull())
  expect((await zoe.client.from('plan_alerts').select('id')).data).toEqual([])
})
