import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import dayjs from 'dayjs'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { dayOf, defaultRenewalDate } from '#domain/renewal.ts'
import { listen } from '#lib/events.ts'
import { openApp, toasted } from '../app.tsx'
import { takePayments } from '../sharing.ts'

const server = await testServer()
await takePayments(server)
let olivia: TestUser
let people = 0

beforeEach(async () => {
  people += 1
  olivia = await addUser(server, `olivia${people}@potluck.example`)
})

const heading = (name: string) => screen.findByRole('heading', { level: 2, name })
const open = (address: string) => openApp(server, address, { as: olivia })
const plansOfOlivia = async () =>
  (await olivia.client.from('shared_subscriptions').select('*').eq('owner_id', olivia.id)).data ?? []
const estimate = () => screen.getByRole('region', { name: 'Your estimate' })
const create = () => screen.findByText('Create Subscription')

it('shares a plan in four steps and shows it in My Subscriptions', async () => {
  const announced: unknown[] = []
  onTestFinished(listen('subscriptionCreated', (detail) => announced.push(detail)))
  const { router, user } = await open('/create')
  await heading('Choose a category')
  await screen.findByText('35 providers')
  const tiles = within(screen.getByRole('main')).getAllByRole('listitem')
  expect(tiles.map(({ textContent }) => textContent?.replace(/(No|\d+) providers?$/, ''))).toEqual([
    ...['All', 'Streaming', 'Music', 'Gaming', 'Productivity', 'Security', 'Other'],
  ])
  await user.click(screen.getByRole('button', { name: /^Streaming/ }))
  await heading('Choose a provider')
  await user.click(screen.getByRole('button', { name: /^Netflix/ }))
  await heading('Pick a plan')
  await user.click(screen.getByRole('button', { name: 'Choose Premium' }))
  await heading('Create subscription')
  expect(router.state.location.search).toEqual({
    category: 'streaming',
    provider: 'netflix',
    plan: 'netflix-premium',
  })
  const dots = within(screen.getByRole('navigation', { name: 'Parts of this step' })).getAllByRole('button')
  expect(dots.map((dot) => dot.getAttribute('aria-label'))).toEqual([
    '1 of 2: Price and renewal',
    '2 of 2: Open slots',
  ])
  expect(dots.map((dot) => dot.getAttribute('aria-current'))).toEqual(['step', null])
  expect(screen.getByLabelText('Price')).toHaveProperty('value', '€19.99')
  expect(screen.getByLabelText('Billing cycle')).toHaveProperty('value', 'Monthly')
  for (const fixed of ['Price', 'Billing cycle']) {
    await user.type(screen.getByLabelText(fixed), '1')
    expect(screen.getByLabelText(fixed)).toHaveProperty('readOnly', true)
  }
  expect(screen.getByLabelText('Price')).toHaveProperty('value', '€19.99')
  expect(screen.getByLabelText(/Next renewal date/)).toBeTruthy()
  expect(screen.queryByLabelText('Open slots')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  const slots = await screen.findByLabelText('Open slots')
  expect(dots.map((dot) => dot.getAttribute('aria-current'))).toEqual([null, 'step'])
  expect(screen.queryByLabelText(/Next renewal date/)).toBeNull()
  expect(slots).toHaveProperty('value', '3')
  expect(screen.getByRole('button', { name: 'One place more' })).toHaveProperty('disabled', true)
  expect(estimate().textContent).toMatch(/€13\.50.*€6\.49.*€5\.50/)
  await user.click(screen.getByRole('button', { name: 'One place less' }))
  await user.click(screen.getByRole('button', { name: 'One place less' }))
  await waitFor(() => expect(slots).toHaveProperty('value', '1'))
  expect(screen.getByRole('button', { name: 'One place less' })).toHaveProperty('disabled', true)
  expect(estimate().textContent).toMatch(/€4\.50.*€15\.49.*€5\.50/)
  await user.click(screen.getByRole('button', { name: 'One place more' }))
  await waitFor(() => expect(estimate().textContent).toMatch(/about€9\.00 per month.*€10\.99.*€5\.50/))
  expect(estimate().textContent).toMatch(
    /a careful estimate, one place in ten empty\. You earn 1 coin for every euro of their share\./,
  )
  await user.click(screen.getByRole('button', { name: 'Create Subscription' }))

  expect(await screen.findByText('Subscription Created')).toBeTruthy()
  expect(screen.getByText('Netflix Premium is open for requests now.')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/my-subscriptions'))
  expect(await screen.findByRole('link', { name: 'Netflix Premium' })).toBeTruthy()
  const start = within(await screen.findByRole('region', { name: 'Three steps for Netflix Premium' }))
  expect(start.getAllByRole('listitem').map((step) => step.querySelector('p')?.textContent)).toEqual([
    'Share the link',
    'Add access',
    'How members pay (done)',
  ])
  start.getByText('Through Potluck: we collect each month, and what you earn arrives as coins.')
  const plans = await plansOfOlivia()
  expect(plans).toMatchObject([
    {
      name: 'Premium',
      owner_max_members: 3,
      current_members: 1,
      billing_cycle: 'monthly',
      next_payment: defaultRenewalDate('monthly', dayOf(new Date())),
      total_price: 19.99,
      member_price: 5,
      settlement: 'potluck',
      status: 'active',
    },
  ])
  expect(announced).toEqual([{ subscriptionId: plans[0]?.id }])
  const seats = await olivia.client.from('subscription_members').select('user_id, is_owner')
  expect(seats.data).toEqual([{ user_id: olivia.id, is_owner: true }])
})

it('goes back step by step and clears the later choices; browser back keeps them', async () => {
  const details = '/create?category=music&provider=spotify&plan=spotify-premium-family&part=slots&slots=2'
  const { router, user } = await open(details)
  await heading('Create subscription')
  const backTo = async (label: string, way: 'above' | 'floating') => {
    const above = screen.getByRole('button', { name: label })
    const floating = screen.getByRole('button', { name: `Back to ${label}` })
    expect([above.textContent, floating.textContent]).toEqual([label, label])
    await user.click(way === 'above' ? above : floating)
  }
  expect(screen.getByLabelText('Open slots')).toHaveProperty('value', '2')
  await backTo('Plans', 'above')
  await heading('Pick a plan')
  expect(router.state.location.search).toEqual({ category: 'music', provider: 'spotify' })
  await user.click(screen.getByRole('button', { name: 'Choose Premium Family' }))
  await heading('Create subscription')
  await user.click(screen.getByRole('button', { name: '2 of 2: Open slots' }))
  expect(await screen.findByLabelText('Open slots')).toHaveProperty('value', '5')
  await backTo('Plans', 'floating')
  await heading('Pick a plan')
  await backTo('Providers', 'floating')
  await heading('Choose a provider')
  expect(router.state.location.search).toEqual({ category: 'music' })
  router.history.back()
  await heading('Pick a plan')
  router.history.forward()
  await heading('Choose a provider')
  await backTo('Categories', 'above')
  await heading('Choose a category')
  expect(router.state.location.search).toEqual({})
  await user.click(screen.getByRole('button', { name: /^Other\s*No providers$/ }))
  await screen.findByText('No providers here')
  expect(screen.getByText('Request Provider').closest('a')?.getAttribute('href')).toBe(
    '/request-provider?category=other',
  )
  await user.click(screen.getByText('Choose another category'))
  await heading('Choose a category')
  await backTo('Dashboard', 'floating')
  await waitFor(() => expect(router.state.location.pathname).toBe('/my-subscriptions'))
})

it('shares an annual plan a year ahead, and says so while it waits for its review', async () => {
  await server.db.query('update app_settings set review_new_plans = true')
  onTestFinished(async () => {
    await server.db.query('update app_settings set review_new_plans = false')
  })
  const { user } = await open('/create?category=streaming&provider=disney-plus')
  const choose = await screen.findByRole('button', { name: 'Choose Premium (annual)' })
  expect(choose.closest('.mantine-Card-root')?.textContent).toMatch(/per year.*Annual/)
  await user.click(choose)
  const inAYear = defaultRenewalDate('yearly', dayOf(new Date()))
  expect(await screen.findByLabelText(/Next renewal date/)).toHaveProperty(
    'value',
    dayjs(inAYear).format('D MMMM YYYY'),
  )
  expect(screen.getByLabelText('Billing cycle')).toHaveProperty('value', 'Annual')
  await user.click(screen.getByText('Next'))
  await user.click(await create())
  await screen.findByText('Disney+ Premium (annual) is being reviewed. Others see it once it is approved.')
  const card = await screen.findByLabelText(/^Disney\+ Premium/)
  expect(card.textContent).toMatch(/€38\.50 \/ year/)
  expect(await plansOfOlivia()).toMatchObject([
    { billing_cycle: 'yearly', next_payment: inAYear, status: 'pending' },
  ])
})

it('shows price, cycle, people and three features of a plan, the rest on demand, and none for one person', async () => {
  const { user, router } = await open('/create?category=streaming&provider=netflix')
  const cardOf = async (plan: string) => {
    const choose = await screen.findByRole('button', { name: `Choose ${plan}` })
    return choose.closest<HTMLElement>('.mantine-Card-root') ?? choose
  }
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
  await router.navigate({ href: '/create?category=music&provider=spotify' })
  const alone = await screen.findByRole('button', { name: 'Choose Premium Individual' })
  expect(alone).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: 'Choose Premium Duo' })).toHaveProperty('disabled', false)
})

it('proposes a date one cycle ahead, asks for a missing one, refuses one that is over and takes today', async () => {
  const netflix = 'category=streaming&provider=netflix&plan=netflix-premium'
  const { router, user } = await open(`/create?${netflix}`)
  const date = await screen.findByLabelText(/Next renewal date/)
  const proposed = defaultRenewalDate('monthly', dayOf(new Date()))
  expect(date).toHaveProperty('value', dayjs(proposed).format('D MMMM YYYY'))
  await user.clear(date)
  await user.tab()
  await user.click(screen.getByText('Next'))
  await screen.findByText('Please enter next renewal date.')
  expect(screen.queryByLabelText('Open slots')).toBeNull()

  await router.navigate({ href: `/create?${netflix}&renewal=2024-02-29&slots=99` })
  await screen.findByText('Renewal date cannot be in the past.')
  await user.click(screen.getByText('Next'))
  expect(screen.queryByLabelText('Open slots')).toBeNull()
  await user.click(screen.getByLabelText('2 of 2: Open slots'))
  // More slots than there are become all of them.
  expect(await screen.findByLabelText('Open slots')).toHaveProperty('value', '3')
  await user.click(await create())
  await toasted('error', 'Validation Error', 'Renewal date cannot be in the past.')
  expect(await plansOfOlivia()).toEqual([])
  await router.navigate({ href: `/create?${netflix}&renewal=${dayOf(new Date())}&slots=99&part=slots` })
  await user.click(await create())
  await screen.findByText('Subscription Created')
  expect(await plansOfOlivia()).toMatchObject([{ owner_max_members: 4, next_payment: dayOf(new Date()) }])
})

it('sends a visitor to sign-in with the way back', async () => {
  const { router } = await openApp(server, '/create?category=music')
  await waitFor(() => expect(router.state.location.pathname).toBe('/signin'))
  expect(router.state.location.search).toMatchObject({ redirect: '/create?category=music' })
  await screen.findByText('Authentication Required')
})

it('asks how members pay and explains both ways; one that cannot be taken is closed, and says why', async () => {
  const ways = () =>
    screen
      .getAllByRole<HTMLInputElement>('radio')
      .map(({ value, checked, disabled }) => [value, checked && 'chosen', disabled && 'closed'])
  const details = (provider: string, plan: string) =>
    open(`/create?category=all&provider=${provider}&plan=${plan}&part=slots`)
  const { user } = await details('netflix', 'netflix-premium')
  const asked = within(await screen.findByRole('radiogroup', { name: 'How members pay' }))
  expect(ways()).toEqual([
    ['potluck', 'chosen', false],
    ['direct', false, false],
  ])
  for (const words of [
    /^Members pay by card or with coins, .*, as coins\. What does not work, .* by itself\.$/,
    /^Members pay you by transfer, .* without coins\. Potluck tells them what is due, .* that it has arrived\.$/,
  ])
    expect(asked.getByText(words)).toBeTruthy()
  await user.click(asked.getByRole('radio', { name: 'Directly to you' }))
  await waitFor(() =>
    expect(estimate().textContent).toMatch(
      /Each member pays you, without a fee€5\.00.*Your members pay you directly/,
    ),
  )
  await user.click(await create())
  await screen.findByText('Subscription Created')
  expect(await plansOfOlivia()).toMatchObject([{ settlement: 'direct' }])

  await details('nintendo-switch-online', 'nintendo-switch-online-family')
  await screen.findByText('A month would cost a member €0.40, and a card cannot be charged less than €1.00.')
  expect(ways()).toEqual([
    ['potluck', false, 'closed'],
    ['direct', 'chosen', false],
  ])

  await server.db.query('delete from private.payment_provider')
  onTestFinished(() => takePayments(server))
  await details('spotify', 'spotify-premium-family')
  await screen.findByText('This site has no payment provider, so members pay you directly.')
  expect(ways()).toEqual([
    ['potluck', false, 'closed'],
    ['direct', 'chosen', false],
  ])
  await user.click(await create())
  await waitFor(async () => expect(await plansOfOlivia()).toHaveLength(2))
})

it('names the fee that is in force, takes no plan at another, and the plan keeps it', async () => {
  const decide = (rate: number) => server.db.query('update app_settings set fee_rate = $1', [String(rate)])
  onTestFinished(async () => void (await decide(0.1)))
  await decide(0.075)
  const { user, router, at } = await open(
    '/create?category=all&provider=netflix&plan=netflix-premium&part=slots',
  )
  await screen.findByText(
    /^Members pay by card or with coins, with a fee of 7\.5 percent on top, which the plan keeps/,
  )
  expect(estimate().textContent).toContain('Each member pays, with the 7.5% fee€5.38')
  await decide(0.05)
  await user.click(await create())
  await toasted(
    'error',
    'Validation Error',
    'The fee is 5 percent now. Please look at what members pay once more.',
  )
  await screen.findByText(/^Members pay by card or with coins, with a fee of 5 percent on top/)
  await waitFor(() => expect(estimate().textContent).toContain('Each member pays, with the 5% fee€5.25'))
  expect(await plansOfOlivia()).toEqual([])
  await user.click(await create())
  await waitFor(() => expect(at()).toMatch(/^\/my-subscriptions/))
  await decide(0.2)
  const [plan] = await plansOfOlivia()
  expect(plan).toMatchObject({ settlement: 'potluck', fee_rate: 0.05 })
  await router.navigate({ href: `/manage-shared/${plan?.id}` })
  await screen.findByText('A place costs €5.25 a month through Potluck, fee included.')
})
