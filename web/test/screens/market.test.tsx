import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { refuse } from '../network.ts'
import { join, payThroughSite, sharePlan } from '../sharing.ts'

const server = await testServer()
let olivia: TestUser
let netflix: string
beforeAll(async () => {
  olivia = await addUser(server, 'olivia@potluck.example')
  const zoe = await addUser(server, 'zoe@potluck.example')
  netflix = await sharePlan(olivia, 3)
  await payThroughSite(server, netflix)
  await sharePlan(olivia, 2, 'spotify-premium-family')
  await sharePlan(zoe, 6, 'microsoft-365-family')
})

const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const shows = (...names: string[]) => waitFor(() => expect(titles()).toEqual(names))

it('shows a visitor every plan with a place, and follows what they choose into the address and back', async () => {
  const plans = refuse('POST rpc/market_plans', 'XX000')
  const { user, at, router } = await openApp(server, '/plans')
  const again = await screen.findByText('Try Again')
  plans.heal()
  await user.click(again)
  await shows('Family (annual)', 'Premium Family', 'Premium')
  const card = screen.getByRole('heading', { level: 2, name: 'Premium' }).closest('.mantine-Card-root')
  expect(card?.textContent).toMatch(
    /Netflix.*€5\.50.*per month.*fee included; €19\.99 alone.*2 of 3 places open.*olivia.*New/,
  )

  await user.selectOptions(screen.getByLabelText('Order'), 'Cheapest first')
  await shows('Family (annual)', 'Premium Family', 'Premium')
  await user.selectOptions(screen.getByLabelText('A month costs'), '5')
  await shows('Family (annual)', 'Premium Family')
  await user.selectOptions(screen.getByLabelText('Category'), 'Music')
  await shows('Premium Family')
  await user.selectOptions(screen.getByLabelText('Paid'), 'Through Potluck')
  await screen.findByRole('heading', { name: 'No plan like that has a place' })
  expect(at()).toBe('/plans?sort=price&max=5&category=music&pay=site')
  expect(screen.getByRole('button', { name: 'Filters (3)' })).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'See all plans' }))
  await shows('Family (annual)', 'Premium Family', 'Premium')
  await user.type(screen.getByRole('searchbox'), 'netf')
  await shows('Premium')
  await user.clear(screen.getByRole('searchbox'))
  await shows('Family (annual)', 'Premium Family', 'Premium')
  const letIn = (from: string | null) =>
    server.db.query('update public.shared_subscriptions set instant_from = $2 where id = $1', [netflix, from])
  await letIn('new')
  await user.selectOptions(screen.getByLabelText('Getting in'), 'Instant')
  await shows('Premium')
  expect(at()).toBe('/plans?instant=true')
  expect(screen.getByText('Instant', { selector: '.mantine-Badge-label' })).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Owner'), 'Trusted')
  await screen.findByRole('heading', { name: 'No plan like that has a place' })
  expect(at()).toBe('/plans?instant=true&level=trusted')
  await user.selectOptions(screen.getByLabelText('Owner'), 'Anybody')
  await shows('Premium')
  await letIn(null)
  await router.navigate({ href: '/plans?service=Microsoft%20365&max=nonsense&pay=never&level=new&instant=1' })
  await shows('Family (annual)')
})

it('leads a visitor from a card to the plan, and from there through signing in to the request', async () => {
  const visitor = await openApp(server, '/plans?service=Netflix')
  await visitor.user.click(
    await screen.findByRole('link', { name: /^See the plan Netflix Premium, shared by olivia/ }),
  )
  await screen.findByRole('heading', { level: 1, name: 'Netflix Premium' })
  expect(document.title).toBe('Netflix Premium · Potluck')
  const place = screen.getByRole('region', { name: 'A place in it' })
  expect(place.textContent).toMatch(/€5\.50 a month, all in.*Share, to olivia€5\.00Fee€0\.50Each month€5\.50/)
  expect(document.body.textContent).not.toContain(olivia.email)
  await visitor.user.click(within(place).getByRole('link', { name: 'Request to join Netflix Premium' }))
  await waitFor(() =>
    expect(decodeURIComponent(visitor.at())).toBe(`/signin?redirect=/plans/${netflix}?ask=true`),
  )

  const marc = await addUser(server, 'marc@potluck.example')
  await openApp(server, `/plans/${netflix}?ask=true`, { as: marc })
  await screen.findByRole('dialog', { name: 'Request to join' })
})

it('shows an owner their plan as others see it, and the way to manage it', async () => {
  await openApp(server, `/plans/${netflix}`, { as: olivia })
  await screen.findByText(/^This is what others see of your plan/)
  expect(screen.getByRole('link', { name: 'Manage Subscription' })).toBeTruthy()
})

it('says what else a plan can be to whoever opens its link: full, not offered, or gone', async () => {
  const rita = await addUser(server, 'rita@potluck.example')
  const full = await sharePlan(rita, 2, 'deezer-family')
  await join(rita, await addUser(server, 'nina@potluck.example'), full)
  await openApp(server, `/plans/${full}`)
  expect(await screen.findByRole('link', { name: /^Join the waiting list of Deezer/ })).toBeTruthy()
  await server.db.query(`insert into public.closed_providers (provider, reason) values ('Deezer', 'No more')`)
  await openApp(server, `/plans/${full}`)
  expect(await screen.findByRole('button', { name: 'Not offered at the moment' })).toBeTruthy()

  await rita.client.from('shared_subscriptions').delete().eq('id', full).throwOnError()
  await openApp(server, `/plans/${full}`)
  await screen.findByRole('heading', { level: 1, name: 'This plan is not here' })
  const others = within(await screen.findByRole('region', { name: 'Plans with a place' }))
  expect(others.getAllByRole('link', { name: /^See / })).toHaveLength(3)
})
