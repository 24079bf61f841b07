// The wizard that shares a plan: each step's texts and input, the stored plan, and the reasons for a refusal.
// Proves CREATE 01 02 04-17, CATALOG 01 02 07 09, EVT 07, ERR 40-43, VALID 09 11 12, PAY 17 20, QUEUE 03
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import dayjs from 'dayjs'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { dayOf, defaultRenewalDate } from '#domain/renewal.ts'
import { listen } from '#lib/events.ts'
import { takePaymentsMeanwhile } from '../acting.ts'
import { openApp, toasted } from '../app.tsx'
import { hold, refuse } from '../network.ts'
import { control, dialog, region } from '../parts.ts'
import { newPerson } from '../people.ts'
import { newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
const { db } = server
let olivia: TestUser

beforeEach(async () => {
  await takePaymentsMeanwhile(server)
  olivia = await newPerson(server, 'olivia')
})

const NETFLIX = 'category=streaming&provider=netflix&plan=netflix-premium'
const open = (search: string, as = olivia) => openApp(server, `/create?${search}`, { as })
const step = (name: string) => screen.findByRole('heading', { level: 2, name })
const plansOfOlivia = async () =>
  (await olivia.client.from('shared_subscriptions').select('*').eq('owner_id', olivia.id)).data ?? []
const estimate = () => screen.getByRole('region', { name: 'Your estimate' })
const create = () => control('Create Subscription')
const NONE_SHARED = "You haven't shared any subscriptions yet."
const next = () => control('Next')
/** The values that the provider sets. */
const fixed = () =>
  screen.getAllByRole('term').map((name) => `${name.textContent} ${name.nextElementSibling?.textContent}`)
const cardOf = async (plan: string) => {
  const choose = await control(`Choose ${plan}`)
  return choose.closest<HTMLElement>('.mantine-Card-root') ?? choose
}
const ways = () =>
  screen
    .getAllByRole<HTMLInputElement>('radio')
    .map(({ value, checked, disabled }) => [value, checked && 'chosen', disabled && 'closed'])

it('goes through four steps and back, and shares a plan that is shown in My Subscriptions', async () => {
  const announced: unknown[] = []
  onTestFinished(listen('subscriptionCreated', (detail) => announced.push(detail)))
  const { router, user, at } = await open('')
  const chosen = () => router.state.location.search
  const backTo = async (label: string, way: 'above' | 'floating') => {
    const floating = await control(`Back to ${label}`)
    const above = screen.getByRole('button', { name: label })
    expect([above.textContent, floating.textContent]).toEqual([label, label])
    await user.click(way === 'above' ? above : floating)
  }
  await step('Choose a category')
  await screen.findByText('35 providers')
  const tiles = within(screen.getByRole('main')).getAllByRole('listitem')
  expect(
    tiles.map((tile) =>
      tile.querySelector('a > :first-child')?.textContent?.replace(/\d+ providers?$|Request Provider$/, ''),
    ),
  ).toEqual([...['All', 'Streaming', 'Music', 'Gaming', 'Productivity', 'Security', 'Other']])
  await user.click(await control(/^Other/))
  await screen.findByText('No providers here')
  expect(screen.getByText('Request Provider').closest('a')?.getAttribute('href')).toBe(
    '/request-provider?category=other',
  )
  await backTo('Categories', 'above')
  await user.click(await control(/^Streaming/))
  await step('Choose a provider')
  await user.click(await control(/^Netflix/))
  await step('Pick a plan')

  const premium = await cardOf('Premium')
  expect(premium.textContent).toMatch(
    /Netflix.*Premium.*€19\.99.*per month.*Monthly.*Top tier.*Up to 4 people/,
  )
  expect(within(premium).getAllByRole('listitem')).toHaveLength(3)
  await user.click(within(premium).getByText(/^\+2 more/))
  expect(within(premium).getAllByRole('listitem')).toHaveLength(5)
  const features = within(await cardOf('Standard with ads')).getAllByRole('listitem')
  expect(
    features.map((item) => [item.textContent, within(item).getByRole('img').getAttribute('aria-label')]),
  ).toEqual([
    ['Full HD video', 'Included:'],
    ['2 streams at once', 'Included:'],
    ['Paid extra members', 'Not included:'],
  ])
  await user.click(await control('Choose Premium'))
  await step('Create subscription')
  expect(chosen()).toEqual({ category: 'streaming', provider: 'netflix', plan: 'netflix-premium' })

  await backTo('Plans', 'above')
  await step('Pick a plan')
  expect(chosen()).toEqual({ category: 'streaming', provider: 'netflix' })
  await backTo('Providers', 'floating')
  await step('Choose a provider')
  expect(chosen()).toEqual({ category: 'streaming' })
  router.history.back()
  await step('Pick a plan')
  router.history.forward()
  await step('Choose a provider')
  await backTo('Categories', 'above')
  await step('Choose a category')
  expect(chosen()).toEqual({})
  await backTo('Dashboard', 'floating')
  await waitFor(() => expect(at()).toBe('/my-subscriptions'))
  await router.navigate({ href: '/create?category=music&provider=spotify' })
  expect(await control('Choose Premium Individual')).toHaveProperty('disabled', true)
  expect(await control('Choose Premium Duo')).toHaveProperty('disabled', false)

  await router.navigate({ href: `/create?${NETFLIX}` })
  await step('Create subscription')
  const dots = within(await screen.findByRole('navigation', { name: 'Parts of this step' })).getAllByRole(
    'button',
  )
  expect(dots.map((dot) => dot.getAttribute('aria-label'))).toEqual([
    '1 of 2: Price and renewal',
    '2 of 2: Open slots',
  ])
  const current = () => dots.map((dot) => dot.getAttribute('aria-current'))
  expect(current()).toEqual(['step', null])
  // There are no fields for these two, because the provider sets them.
  await waitFor(() => expect(fixed()).toEqual(['Price €19.99', 'Billing cycle Monthly']))
  const date = screen.getByLabelText(/Next renewal date/)
  const inAMonth = defaultRenewalDate('monthly', dayOf(new Date()))
  expect(date).toHaveProperty('value', dayjs(inAMonth).format('D MMMM YYYY'))
  expect(screen.queryByLabelText('Open slots')).toBeNull()
  await user.clear(date)
  await user.tab()
  await user.click(await next())
  await screen.findByText('Please enter next renewal date.')
  // The field has the focus, and keeps what is typed until the focus leaves.
  await user.tab()
  expect(screen.queryByLabelText('Open slots')).toBeNull()
  await router.navigate({ href: `/create?${NETFLIX}&renewal=${inAMonth}` })
  await waitFor(() => expect(date).toHaveProperty('value', dayjs(inAMonth).format('D MMMM YYYY')))
  // A double click moves on by one part, and creates nothing.
  await user.dblClick(await next())
  const slots = await screen.findByLabelText('Open slots')
  expect(current()).toEqual([null, 'step'])
  expect(await plansOfOlivia()).toEqual([])
  expect(document.activeElement?.textContent).toBe('Create subscription')
  expect(screen.queryByLabelText(/Next renewal date/)).toBeNull()
  expect(slots).toHaveProperty('value', '3')
  const [more, less] = [await control('One more place'), await control('One place fewer')]
  expect(more).toHaveProperty('disabled', true)
  expect(estimate().textContent).toMatch(/^You get3 × €5\.00 = €15\.00 a monthAbout €13\.50 .*€6\.49.*€5\.50/)
  await user.click(less)
  await user.click(less)
  await waitFor(() => expect(slots).toHaveProperty('value', '1'))
  expect(less).toHaveProperty('disabled', true)
  expect(estimate().textContent).toMatch(/1 × €5\.00 = €5\.00.*€4\.50.*€15\.49.*€5\.50/)
  await user.click(more)
  await waitFor(() =>
    expect(estimate().textContent).toBe(
      'You get2 × €5.00 = €10.00 a monthAbout €9.00 if one place in ten stays empty. Your plan then costs you about €10.99.Each member pays €5.50, including the 10% fee. You earn 1 coin for every euro of their share.',
    ),
  )

  // How members pay. The notice that no real money moves is shown where money would move.
  const asked = within(await screen.findByRole('radiogroup', { name: 'How members pay' }))
  expect(ways()).toEqual([
    ['potluck', 'chosen', false],
    ['direct', false, false],
  ])
  for (const words of [
    /^By card or coins, plus a 10% fee\. .* works\.$/,
    /^By bank transfer, .* reminders and receipts\.$/,
  ])
    asked.getByText(words)
  screen.getByText('Simulation')
  await user.click(asked.getByLabelText('Directly to you'))
  await waitFor(() => expect(screen.queryByText('Simulation')).toBeNull())
  await user.click(asked.getByLabelText('Through Potluck'))
  await user.click(await create())

  await toasted('success', 'Subscription Created', 'Netflix Premium is open for requests.')
  await waitFor(() => expect(router.state.location.pathname).toBe('/my-subscriptions'))
  await control('Netflix Premium')
  const shared = await region('Netflix Premium is shared')
  await shared.findByText(/\/p\/\w{8}$/)
  shared.getByText('Copy link')
  await user.click(shared.getByText('Invite by mail'))
  await user.click((await dialog('How do people get in?')).getByText('Later'))
  await dialog('Invite Member')
  const plans = await plansOfOlivia()
  expect(plans).toMatchObject([
    {
      ...{ name: 'Premium', owner_max_members: 3, current_members: 1, billing_cycle: 'monthly' },
      ...{ next_payment: inAMonth, total_price: 19.99, member_price: 5, settlement: 'potluck' },
      ...{ status: 'active', instant_from: null },
    },
  ])
  expect(announced).toEqual([{ subscriptionId: plans[0]?.id }])
  const seats = await olivia.client.from('subscription_members').select('user_id, is_owner')
  expect(seats.data).toEqual([{ user_id: olivia.id, is_owner: true }])
})

it('goes on from the last step only once its form is there', async () => {
  const fee = hold('GET rest/v1/rpc/fee_rate')
  const { user } = await open(NETFLIX)
  await waitFor(() => expect(fee.sent).not.toEqual([]))
  expect(await next()).toHaveProperty('disabled', true)
  expect(screen.queryByLabelText(/Next renewal date/)).toBeNull()
  fee.letGo()
  await screen.findByLabelText(/Next renewal date/)
  await user.click(await next())
  await screen.findByLabelText('Open slots')
})

it('shares an annual plan a year ahead, paid directly, and says so while it waits for its review', async () => {
  await db.query('update app_settings set review_new_plans = true')
  onTestFinished(async () => void (await db.query('update app_settings set review_new_plans = false')))
  const { user } = await open('category=streaming&provider=disney-plus')
  expect((await cardOf('Premium (annual)')).textContent).toMatch(/per year.*Annual/)
  await user.click(await control('Choose Premium (annual)'))
  const inAYear = defaultRenewalDate('yearly', dayOf(new Date()))
  const date = await screen.findByLabelText(/Next renewal date/)
  expect(date).toHaveProperty('value', dayjs(inAYear).format('D MMMM YYYY'))
  expect(fixed()).toContain('Billing cycle Annual')
  await user.click(await next())
  await user.click(await screen.findByLabelText('Directly to you'))
  await waitFor(() =>
    expect(estimate().textContent).toMatch(/ a yearAbout .*\.Each member pays you €[\d.]+, no fee\.$/),
  )
  await user.click(await create())
  await screen.findByText('We’re reviewing Disney+ Premium (annual). Others can see it once it’s approved.')
  expect((await screen.findByRole('article', { name: /^Disney\+ Premium/ })).textContent).toMatch(
    /€35\.00 \/ year/,
  )
  expect(await plansOfOlivia()).toMatchObject([
    { billing_cycle: 'yearly', next_payment: inAYear, status: 'pending', settlement: 'direct' },
  ])
})

it('leads to a list that loads, and that never says on the way that nothing is shared', async () => {
  const { user, router } = await open('')
  await step('Choose a category')
  // Simulates a slow connection: the old list is shown while the list with the new plan loads.
  await router.navigate({ href: '/my-subscriptions' })
  await screen.findByText(NONE_SHARED)
  await router.navigate({ href: `/create?${NETFLIX}&part=slots` })
  const button = await create()
  const slow = hold('GET /rest/v1/shared_subscriptions')
  const said = vi.fn()
  const watch = new MutationObserver(() => screen.queryByText(NONE_SHARED) && said())
  watch.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => watch.disconnect())
  await user.click(button)
  await toasted('success', 'Subscription Created', 'Netflix Premium is open for requests.')
  await screen.findByRole('heading', { level: 1, name: 'My Subscriptions' })
  slow.letGo()
  await control('Netflix Premium')
  expect(said).not.toHaveBeenCalled()
})

it('asks for a name, and neither how the owner is paid nor how people get in', async () => {
  await db.query('update user_profiles set display_name = null, name_unconfirmed = true where user_id = $1', [
    olivia.id,
  ])
  const { user } = await open(`${NETFLIX}&part=slots&pay=direct`)
  await user.click(await create())
  await user.click((await dialog('What should we call you?')).getByText('Save and continue'))
  await waitFor(async () => expect(await plansOfOlivia()).toMatchObject([{ settlement: 'direct' }]))
  expect((await olivia.client.from('payment_wishes').select('note')).data).toEqual([])
})

it('finds the plan by a search that leads past the steps, and offers four places, or as many as there are', async () => {
  const { user, router, cache } = await open('')
  const search = await screen.findByLabelText('Search services')
  await user.type(search, 'spotify')
  expect(await screen.findAllByText(/^Spotify Premium/)).toHaveLength(2)
  await user.clear(search)
  await user.type(search, 'nothing like it')
  await screen.findByText('No provider matches "nothing like it".')
  expect(screen.getByText('Request Provider').closest('a')?.getAttribute('href')).toBe(
    '/request-provider?category=all',
  )
  await user.clear(search)
  await user.type(search, 'spotify fam')
  await waitFor(() =>
    expect(screen.getByText('Something else').closest('a')?.getAttribute('href')).toBe(
      '/create/own?service=spotify+fam',
    ),
  )
  await user.click(await screen.findByText('Spotify Premium Family'))
  await step('Create subscription')
  expect(router.state.location.search).toMatchObject({ category: 'music', plan: 'spotify-premium-family' })
  await user.click(await next())
  expect(await screen.findByLabelText('Open slots')).toHaveProperty('value', '3')
  await sharePlan(olivia, 2, 'spotify-premium-duo')
  await cache.invalidateQueries()
  await router.navigate({ href: '/create' })
  await user.type(await screen.findByLabelText('Search services'), 'spotify')
  await screen.findByText('You share a plan of Spotify already, and can share one of each provider.')
  expect(screen.queryByText('Request Provider', { selector: 'a *' })).toBeNull()
  // A provider that sells one plan leaves nothing to pick.
  await router.navigate({ href: '/create?category=streaming' })
  await user.click(await control(/^Apple TV/))
  await step('Create subscription')
  await user.click(await control('Providers'))
  await step('Choose a provider')
})

it('closes a way of paying that cannot be taken, and says why', async () => {
  const { user, router, cache } = await open(
    'category=all&provider=nintendo-switch-online&plan=nintendo-switch-online-family&part=slots',
  )
  const closed = [
    ['potluck', false, 'closed'],
    ['direct', 'chosen', false],
  ]
  await screen.findByText(
    'A member would pay €0.40 a month. Cards need at least €1.00, so members pay you directly.',
  )
  expect(ways()).toEqual(closed)
  await db.query(`select private.report_payment_provider('stripe', 'test', 'pk_test_1', true)`)
  await cache.invalidateQueries()
  await router.navigate({
    href: '/create?category=all&provider=spotify&plan=spotify-premium-family&part=slots',
  })
  await screen.findByText(/^Before members can pay by card, set up how you get paid\./)
  await screen.findByRole('link', { name: 'Set up payouts' })
  expect(ways()).toEqual(closed)
  await db.query('delete from private.payment_provider')
  await cache.invalidateQueries()
  await screen.findByText('This site doesn’t take cards, so members pay you directly.')
  expect(ways()).toEqual(closed)
  await user.click(await create())
  await waitFor(async () => expect(await plansOfOlivia()).toMatchObject([{ settlement: 'direct' }]))
})

it('names the fee that is in force, takes no plan at another, and the plan keeps it', async () => {
  const decide = (rate: number) => db.query('update app_settings set fee_rate = $1', [String(rate)])
  onTestFinished(async () => void (await decide(0.1)))
  await decide(0.075)
  const { user, router, at } = await open(`${NETFLIX}&part=slots`)
  await screen.findByText(/^By card or coins, plus a 7\.5% fee\./)
  expect(estimate().textContent).toContain('Each member pays €5.38, including the 7.5% fee.')
  await decide(0.05)
  await user.click(await create())
  await toasted('error', 'Validation Error', 'The fee is now 5 percent. Please check what members pay.')
  await screen.findByText(/^By card or coins, plus a 5% fee\./)
  await waitFor(() =>
    expect(estimate().textContent).toContain('Each member pays €5.25, including the 5% fee.'),
  )
  expect(await plansOfOlivia()).toEqual([])
  await user.click(await create())
  await toasted('success', 'Subscription Created', 'Netflix Premium is open for requests.')
  await waitFor(() => expect(at()).toMatch(/^\/my-subscriptions/))
  await decide(0.2)
  const [plan] = await plansOfOlivia()
  await router.navigate({ href: `/manage-shared/${plan?.id}?section=money` })
  await screen.findByText('A place costs €5.25 a month through Potluck, fee included.')
})

it('hides a provider that is shared, says so when that happened meanwhile, and leads to the plan', async () => {
  const share = (cataloguePlanId: string) => sharePlan(olivia, 2, cataloguePlanId)
  const { router, user, at } = await open('category=streaming')
  const netflix = await control(/^Netflix/)
  await share('netflix-standard')
  await user.click(netflix)
  await screen.findByText('Provider Already Shared')
  await waitFor(() => expect(screen.queryByText('Netflix')).toBeNull())
  await router.navigate({ href: '/create?category=streaming&provider=netflix' })
  await step('Choose a provider')
  await router.navigate({
    href: '/create?category=music&provider=spotify&plan=spotify-premium-duo&part=slots',
  })
  const confirm = await create()
  const planId = await share('spotify-premium-duo')
  await user.click(confirm)
  await screen.findByText('Duplicate Subscription')
  await waitFor(() => expect(at()).toBe(`/manage-shared/${planId}`))
})

it('says that providers or plans cannot be loaded, and loads them again', async () => {
  const providers = refuse('GET /service_provider_data', 'XX000')
  const plans = refuse('GET /shared_subscriptions', 'XX000')
  const { user, router } = await open('')
  const shown = async () => (await screen.findByRole('alert')).textContent
  expect(await shown()).toContain('Error loading service providers')
  providers.heal()
  await user.click(await control('Try Again'))
  await waitFor(async () => expect(await shown()).toContain('Error loading plans'))
  plans.heal()
  await user.click(await control('Try Again'))
  await user.click(await control(/^Music/))
  const spotify = await control(/^Spotify/)
  refuse('GET /shared_subscriptions', 'XX000')
  await user.click(spotify)
  await toasted('error', 'Error loading plans', 'Check your connection and try again.')
  expect(router.state.location.search).toEqual({ category: 'music' })
})

/** The session as stored by the browser. */
function storedSession() {
  const key = Object.keys(window.localStorage).find((name) => name.endsWith('-auth-token')) ?? ''
  return { key, session: JSON.parse(window.localStorage.getItem(key) ?? '{}') as Record<string, unknown> }
}

it('says why nothing was created, and stays where that helps', async () => {
  const { router, user } = await open(`${NETFLIX}&renewal=2024-02-29&slots=99`)
  await screen.findByText('Renewal date cannot be in the past.')
  await user.click(await next())
  expect(screen.queryByLabelText('Open slots')).toBeNull()
  await user.click(await control('2 of 2: Open slots'))
  // A number of slots above the maximum is reduced to the maximum.
  expect(await screen.findByLabelText('Open slots')).toHaveProperty('value', '3')
  await user.click(await create())
  await toasted('error', 'Validation Error', 'Renewal date cannot be in the past.')
  await router.navigate({ href: `/create?${NETFLIX}&part=slots` })
  const storage = vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('The browser keeps its storage closed')
  })
  await user.click(await create())
  await screen.findByText('Authentication Error')
  storage.mockRestore()
  refuse('POST /shared_subscriptions', 'XX000')
  await user.click(await create())
  await screen.findByText('Error Creating Subscription')
  expect(router.state.location.search).toMatchObject({ plan: 'netflix-premium' })
  expect(await plansOfOlivia()).toEqual([])
})

it.each([
  ['with a token that is no longer taken', 'Session Expired'],
  ['without the right to', 'Permission Error'],
])('%s says "%s" and leads to sign-in and back', async (what, title) => {
  const { router, user } = await open(`${NETFLIX}&part=slots`)
  const confirm = await create()
  const { key, session } = storedSession()
  const forged = `${olivia.accessToken.split('.').slice(0, 2).join('.')}.${'A'.repeat(43)}`
  if (what === 'without the right to') refuse('POST /shared_subscriptions', '42501', 'no', 403)
  else window.localStorage.setItem(key, JSON.stringify({ ...session, access_token: forged }))
  const pages: string[] = []
  router.subscribe('onResolved', ({ toLocation }) => pages.push(toLocation.pathname))
  await user.click(confirm)
  await screen.findByText(title)
  await waitFor(() => expect(router.state.location.pathname).toBe('/signin'))
  await waitFor(() => expect([...new Set(pages)]).toEqual(['/signin']))
  expect(String(router.state.location.search.redirect)).toContain('plan=netflix-premium')
  expect(storedSession().key).toBe('')
  expect(await plansOfOlivia()).toEqual([])
})

it('says what a provider allows in the wizard and on the plan, and plainly what is not known', async () => {
  const check = (sharing: object | null) =>
    db.query(
      `update service_provider_data set data = (
         select jsonb_agg(case when p ->> 'id' = 'netflix' then p || jsonb_build_object('sharing', $1::jsonb) else p end order by place)
         from jsonb_array_elements(data) with ordinality as one (p, place)) where is_current`,
      [JSON.stringify(sharing)],
    )
  onTestFinished(async () => void (await check(null)))
  const card = (where: HTMLElement = document.body) =>
    within(where)
      .findByRole('region', { name: 'What Netflix allows' })
      .then(({ textContent }) => textContent)
  const UNKNOWN =
    'We have not checked how Netflix is shared best, or what its terms say about households and regions. Please read them at www.netflix.com first.'
  const TERMS = 'One household. Read the source. Last checked 20 November 2026; it may have changed.'
  const KNOWN = `Best shared as a paid extra member. Everyone has their own sign-in.${TERMS}`
  const rules = {
    how: 'extra-member',
    terms: 'One household.',
    source: 'https://help.netflix.com/legal',
    asOf: '2026-11-20',
  }
  const people = await newPeople(server)
  const planId = await sharePlan(people.olivia)
  const { router, cache } = await open(NETFLIX, people.zoe)
  await card()
  for (const [sharing, text] of [
    [null, UNKNOWN],
    [{ how: 'somehow' }, UNKNOWN],
    [{ ...rules, how: null }, `We haven’t checked how best to share it.${TERMS}`],
    [rules, KNOWN],
  ] as const) {
    await check(sharing)
    await cache.invalidateQueries()
    await waitFor(async () => expect(await card()).toContain(text))
    if (!sharing) expect(await card()).toContain('Its price list names: 2 extra member slots')
  }
  await router.navigate({ href: `/subscription/${planId}` })
  await control(/^Request to join Netflix/)
  expect(await card()).toContain(KNOWN)
  await openApp(server, `/subscription/${planId}?section=access`, { as: people.olivia })
  expect(await card()).toContain(KNOWN)
})

it('offers nothing of a provider that is switched off, until it is switched on again', async () => {
  const planId = await sharePlan(olivia)
  const zoe = await newPerson(server, 'zoe')
  const switchOn = () => db.query('delete from provider_rules')
  onTestFinished(async () => void (await switchOn()))
  await db.query(
    `insert into provider_rules (provider, rule, reason, ground, clause) values ('Netflix', 'off', 'Its terms have changed', 'provider', '4.2')`,
  )
  const { router, cache } = await openApp(server, `/plans/${planId}`, { as: zoe })
  expect(await control('Not available right now')).toHaveProperty('disabled', true)
  await router.navigate({ href: '/create?category=streaming' })
  await screen.findByText('Disney+')
  expect(screen.queryByText('Netflix')).toBeNull()
  await switchOn()
  await cache.invalidateQueries()
  await control(/^Netflix/)
})
