import { type SignedUpUser, signUpUser } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import dayjs from 'dayjs'
import { beforeEach, describe, expect, it } from 'vitest'
import { dayOf, defaultRenewalDate } from '#domain/renewal.ts'
import { bootServer, openApp } from '../app.tsx'
import { password, sharePlan } from '../sharing.ts'

const heading = (name: string) => screen.findByRole('heading', { level: 2, name })
describe('the create wizard', () => {
  const server = bootServer()
  let olivia: SignedUpUser
  let people = 0

  beforeEach(async () => {
    people += 1
    olivia = await signUpUser(server(), `olivia${people}@potluck.example`, { password })
  })

  const open = async (address: string) => ({
    user: userEvent.setup(),
    ...(await openApp(server(), address, { as: { email: olivia.email, password } })),
  })
  const plansOfOlivia = async () =>
    (await olivia.client.from('shared_subscriptions').select('*').eq('owner_id', olivia.id)).data ?? []
  const share = (cataloguePlanId: string) => sharePlan(olivia, 2, cataloguePlanId)

  it('CREATE-01 CREATE-06 CREATE-12 CREATE-13 ERR-42 shares a plan in four steps and shows it in My Subscriptions', async () => {
    const { router, user } = await open('/create')
    await heading('Choose a category')
    await user.click(await screen.findByRole('button', { name: /^Streaming/ }))
    await heading('Choose a provider')
    await user.click(screen.getByRole('button', { name: /^Netflix/ }))
    await heading('Pick a plan')
    await user.click(screen.getByRole('button', { name: 'Choose Premium' }))
    await heading('Create subscription')
    expect(screen.getByLabelText('Price')).toHaveProperty('value', '€19.99')
    expect(screen.getByLabelText('Price')).toHaveProperty('readOnly', true)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    const slots = await screen.findByLabelText('Open slots')
    expect(slots).toHaveProperty('value', '3')
    await user.click(screen.getByRole('button', { name: 'One slot less' }))
    const estimate = screen.getByRole('region', { name: 'Your estimate' })
    await waitFor(() => expect(estimate.textContent).toContain('€9.00'))
    expect(estimate.textContent).toContain('€10.99')
    expect(estimate.textContent).toContain('€5.50')
    await user.click(screen.getByRole('button', { name: 'Create Subscription' }))

    expect(await screen.findByText('Subscription Created')).toBeTruthy()
    await waitFor(() => expect(router.state.location.pathname).toBe('/my-subscriptions'))
    expect(await screen.findByRole('link', { name: 'Netflix Premium' })).toBeTruthy()
    const [plan] = await plansOfOlivia()
    expect(plan).toMatchObject({
      name: 'Premium',
      owner_max_members: 3,
      current_members: 1,
      billing_cycle: 'monthly',
    })
  })

  it('CREATE-07 CREATE-08 goes back step by step and clears the later choices; browser back keeps them', async () => {
    const { router, user } = await open('/create?category=music&provider=spotify&plan=spotify-premium-family')
    await heading('Create subscription')
    await user.click(screen.getByRole('button', { name: 'Plans' }))
    await heading('Pick a plan')
    await user.click(screen.getByRole('button', { name: 'Back to Providers' }))
    await heading('Choose a provider')
    expect(router.state.location.search).toEqual({ category: 'music' })
    router.history.back()
    await heading('Pick a plan')
    router.history.forward()
    await heading('Choose a provider')
    await user.click(screen.getByRole('button', { name: 'Categories' }))
    await heading('Choose a category')
    expect(router.state.location.search).toEqual({})
    await user.click(screen.getByRole('button', { name: 'Dashboard' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/my-subscriptions'))
  })

  it('CREATE-05 shows price, cycle, people and three features of a plan, and the rest on demand', async () => {
    const { user } = await open('/create?category=streaming&provider=netflix')
    const choose = await screen.findByRole('button', { name: 'Choose Premium' })
    const card = choose.closest('.mantine-Card-root')
    if (!(card instanceof HTMLElement)) throw new Error('The plan is not on a card')
    expect(card.textContent).toMatch(/Netflix.*Premium.*€19\.99.*per month.*Monthly.*Up to 4 people/)
    expect(within(card).getAllByRole('listitem')).toHaveLength(3)
    await user.click(within(card).getByRole('button', { name: /^\+2 more/ }))
    expect(within(card).getAllByRole('listitem')).toHaveLength(5)
  })

  it('CATALOG-09 does not let a plan for one person be chosen', async () => {
    await open('/create?category=music&provider=spotify')
    const choose = await screen.findByRole('button', { name: 'Choose Premium Individual' })
    expect(choose).toHaveProperty('disabled', true)
    expect(screen.getByRole('button', { name: 'Choose Premium Duo' })).toHaveProperty('disabled', false)
  })

  it('CREATE-11 VALID-09 proposes a date one cycle ahead and asks for one that is missing', async () => {
    const { user } = await open('/create?category=streaming&provider=netflix&plan=netflix-premium')
    const date = await screen.findByLabelText(/Next renewal date/)
    const proposed = new Date(defaultRenewalDate('monthly', dayOf(new Date())))
    expect(date).toHaveProperty('value', dayjs(proposed).format('D MMMM YYYY'))
    await user.clear(date)
    await user.tab()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('Please enter next renewal date.')).toBeTruthy()
    expect(screen.queryByLabelText('Open slots')).toBeNull()
  })

  it('CREATE-04 hides a provider the owner shares already, also from an address that names it', async () => {
    await share('netflix-standard')
    await open('/create?category=streaming&provider=netflix')
    await heading('Choose a provider')
    expect(screen.getByRole('button', { name: /^Disney\+/ })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Netflix/ })).toBeNull()
  })

  it('ERR-41 says so when the provider has been shared in another tab meanwhile', async () => {
    const { user } = await open('/create?category=streaming')
    const netflix = await screen.findByRole('button', { name: /^Netflix/ })
    await share('netflix-standard')
    await user.click(netflix)
    expect(await screen.findByText('Provider Already Shared')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Netflix/ })).toBeNull())
  })

  it('ERR-41 VALID-12 leads to the existing plan when the database refuses a second one', async () => {
    const address = '/create?category=streaming&provider=netflix&plan=netflix-premium&part=slots'
    const { router, user } = await open(address)
    const create = await screen.findByRole('button', { name: 'Create Subscription' })
    await share('netflix-standard')
    await user.click(create)
    expect(await screen.findByText('Duplicate Subscription')).toBeTruthy()
    const [plan] = await plansOfOlivia()
    await waitFor(() => expect(router.state.location.pathname).toBe(`/manage-shared/${plan?.id}`))
  })

  it('VALID-09 ERR-42 shows what the database refuses', async () => {
    const address = `/create?category=streaming&provider=netflix&plan=netflix-premium&part=slots`
    const { user } = await open(address)
    const create = await screen.findByRole('button', { name: 'Create Subscription' })
    await server().db.query(
      `update service_provider_data set data = jsonb_path_query_array(data, '$[*] ? (@.id != "netflix")')`,
    )
    await user.click(create)
    expect(await screen.findByText('Validation Error')).toBeTruthy()
    expect(await plansOfOlivia()).toEqual([])
  })

  it('CREATE-09 sends a visitor to sign-in with the way back', async () => {
    const { router } = await openApp(server(), '/create?category=music')
    await waitFor(() => expect(router.state.location.pathname).toBe('/signin'))
    expect(router.state.location.search).toMatchObject({ redirect: '/create?category=music' })
    expect(await screen.findByText('Authentication Required')).toBeTruthy()
  })
})
