import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import dayjs from 'dayjs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { dayOf, defaultRenewalDate } from '#domain/renewal.ts'
import { openApp } from '../app.tsx'
import { password, sharePlan } from '../sharing.ts'

const heading = (name: string) => screen.findByRole('heading', { level: 2, name })
describe('the create wizard', async () => {
  const server = await testServer()
  let olivia: TestUser
  let people = 0

  beforeEach(async () => {
    people += 1
    olivia = await addUser(server, `olivia${people}@potluck.example`, { password })
  })

  const open = async (address: string) => ({
    ...(await openApp(server, address, { as: { email: olivia.email, password } })),
  })
  const plansOfOlivia = async () =>
    (await olivia.client.from('shared_subscriptions').select('*').eq('owner_id', olivia.id)).data ?? []
  const estimate = () => screen.getByRole('region', { name: 'Your estimate' })
  const share = (cataloguePlanId: string) => sharePlan(olivia, 2, cataloguePlanId)

  it('shares a plan in four steps and shows it in My Subscriptions', async () => {
    const announced: unknown[] = []
    const hear = (event: Event) => announced.push((event as CustomEvent).detail)
    window.addEventListener('subscriptionCreated', hear, { once: true })
    const { router, user } = await open('/create')
    await heading('Choose a category')
    await user.click(await screen.findByRole('button', { name: /^Streaming/ }))
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
    expect(screen.getByRole('button', { name: 'One slot more' })).toHaveProperty('disabled', true)
    expect(estimate().textContent).toMatch(/€13\.50.*€6\.49.*€5\.50/)
    await user.click(screen.getByRole('button', { name: 'One slot less' }))
    await user.click(screen.getByRole('button', { name: 'One slot less' }))
    await waitFor(() => expect(slots).toHaveProperty('value', '1'))
    expect(screen.getByRole('button', { name: 'One slot less' })).toHaveProperty('disabled', true)
    expect(estimate().textContent).toMatch(/€4\.50.*€15\.49.*€5\.50/)
    await user.click(screen.getByRole('button', { name: 'One slot more' }))
    await waitFor(() => expect(estimate().textContent).toMatch(/about€9\.00 per month.*€10\.99.*€5\.50/))
    expect(estimate().textContent).toMatch(/An estimate.*credited 1 coin for each euro of a member's share\./)
    await user.click(screen.getByRole('button', { name: 'Create Subscription' }))

    expect(await screen.findByText('Subscription Created')).toBeTruthy()
    expect(screen.getByText('Netflix Premium is open for requests now.')).toBeTruthy()
    await waitFor(() => expect(router.state.location.pathname).toBe('/my-subscriptions'))
    expect(await screen.findByRole('link', { name: 'Netflix Premium' })).toBeTruthy()
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
    await backTo('Dashboard', 'floating')
    await waitFor(() => expect(router.state.location.pathname).toBe('/my-subscriptions'))
  })

  it('offers all and six categories, and the bundled providers when the stored ones cannot be read', async () => {
    const { db } = server
    await db.query(
      `update service_provider_data set data = '[{"id": "netflix", "name": "Netflix", "plans": "many"}]'`,
    )
    try {
      const { user } = await open('/create')
      await heading('Choose a category')
      await screen.findByRole('button', { name: /^All\s*35 providers$/ })
      const tiles = within(screen.getByRole('main')).getAllByRole('listitem')
      expect(tiles.map(({ textContent }) => textContent?.replace(/(No|\d+) providers?$/, ''))).toEqual([
        'All',
        'Streaming',
        'Music',
        'Gaming',
        'Productivity',
        'Security',
        'Other',
      ])
      await user.click(screen.getByRole('button', { name: /^Other\s*No providers$/ }))
      expect(await screen.findByText('No providers here')).toBeTruthy()
      expect(screen.getByRole('link', { name: /^Request Provider/ }).getAttribute('href')).toBe(
        '/request-provider?category=other',
      )
      await user.click(screen.getByRole('button', { name: 'Choose another category' }))
      await user.click(await screen.findByRole('button', { name: /^Music/ }))
      await user.click(await screen.findByRole('button', { name: /^Spotify/ }))
      await user.click(await screen.findByRole('button', { name: 'Choose Premium Duo' }))
      await user.click(await screen.findByRole('button', { name: 'Next' }))
      await user.click(await screen.findByRole('button', { name: 'Create Subscription' }))
      expect(await screen.findByText('Subscription Created')).toBeTruthy()
      expect(await plansOfOlivia()).toMatchObject([{ provider: 'Spotify', name: 'Premium Duo' }])
    } finally {
      await db.query('update service_provider_data set data = (select data from private.bundled_catalogue)')
    }
  })

  it('shares an annual plan a year ahead, and the lists count it by the year', async () => {
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
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await user.click(await screen.findByRole('button', { name: 'Create Subscription' }))
    const card = await screen.findByRole('article', { name: /^Disney\+ Premium/ })
    expect(card.textContent).toMatch(/€38\.50 \/ year/)
    expect(await plansOfOlivia()).toMatchObject([{ billing_cycle: 'yearly', next_payment: inAYear }])
  })

  it('says that a plan waits for its review, and shows it to its owner alone', async () => {
    const { db } = server
    await db.query('update app_settings set review_new_plans = true')
    try {
      const { user } = await open(
        '/create?category=music&provider=spotify&plan=spotify-premium-duo&part=slots',
      )
      await user.click(await screen.findByRole('button', { name: 'Create Subscription' }))
      expect(
        await screen.findByText('Spotify Premium Duo is being reviewed. Others see it once it is approved.'),
      ).toBeTruthy()
      expect(await screen.findByRole('link', { name: 'Spotify Premium Duo' })).toBeTruthy()
    } finally {
      await db.query('update app_settings set review_new_plans = false')
    }
    const [plan] = await plansOfOlivia()
    const zoe = await addUser(server, `zoe-${people}@potluck.example`, { password })
    const seen = async () =>
      (await zoe.client.from('shared_subscriptions').select('id').eq('id', plan?.id)).data?.length
    expect(await seen()).toBe(0)
    await db.query(`update shared_subscriptions set status = 'active' where id = $1`, [plan?.id])
    expect(await seen()).toBe(1)
  })

  it('shows price, cycle, people and three features of a plan, and the rest on demand', async () => {
    const { user } = await open('/create?category=streaming&provider=netflix')
    const choose = await screen.findByRole('button', { name: 'Choose Premium' })
    const card = choose.closest('.mantine-Card-root')
    if (!(card instanceof HTMLElement)) throw new Error('The plan is not on a card')
    expect(card.textContent).toMatch(
      /Netflix.*Premium.*€19\.99.*per month.*Monthly.*Top tier.*Up to 4 people/,
    )
    expect(within(card).getAllByRole('listitem')).toHaveLength(3)
    await user.click(within(card).getByRole('button', { name: /^\+2 more/ }))
    expect(within(card).getAllByRole('listitem')).toHaveLength(5)
    const ads = screen.getByRole('button', { name: 'Choose Standard with ads' }).closest('.mantine-Card-root')
    const features = within(ads as HTMLElement).getAllByRole('listitem')
    expect(
      features.map((item) => [item.textContent, within(item).getByRole('img').getAttribute('aria-label')]),
    ).toEqual([
      ['Full HD video', 'Included:'],
      ['2 streams at once', 'Included:'],
      ['Paid extra members', 'Not included:'],
    ])
  })

  it('does not let a plan for one person be chosen', async () => {
    await open('/create?category=music&provider=spotify')
    const choose = await screen.findByRole('button', { name: 'Choose Premium Individual' })
    expect(choose).toHaveProperty('disabled', true)
    expect(screen.getByRole('button', { name: 'Choose Premium Duo' })).toHaveProperty('disabled', false)
  })

  it('proposes a date one cycle ahead and asks for one that is missing', async () => {
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

  it('refuses a date that is over and takes today; slots beyond the plan become the most there are', async () => {
    const netflix = 'category=streaming&provider=netflix&plan=netflix-premium'
    const { router, user } = await open(`/create?${netflix}&renewal=2024-02-29&slots=99`)
    expect(await screen.findByText('Renewal date cannot be in the past.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(screen.queryByLabelText('Open slots')).toBeNull()
    await user.click(screen.getByRole('button', { name: '2 of 2: Open slots' }))
    const slots = await screen.findByLabelText('Open slots')
    expect(slots).toHaveProperty('value', '3')
    await user.click(screen.getByRole('button', { name: 'Create Subscription' }))
    expect(await screen.findByText('Validation Error')).toBeTruthy()
    expect(screen.getByText('Renewal date cannot be in the past.')).toBeTruthy()
    expect(await plansOfOlivia()).toEqual([])
    await router.navigate({
      to: '/create',
      search: (now) => ({ ...now, renewal: dayOf(new Date()), part: 'slots' as const }),
    })
    await user.click(screen.getByRole('button', { name: 'Create Subscription' }))
    expect(await screen.findByText('Subscription Created')).toBeTruthy()
    expect(await plansOfOlivia()).toMatchObject([{ owner_max_members: 4, next_payment: dayOf(new Date()) }])
  })

  it('hides a provider the owner shares already, also from an address that names it', async () => {
    await share('netflix-standard')
    await open('/create?category=streaming&provider=netflix')
    await heading('Choose a provider')
    expect(screen.getByRole('button', { name: /^Disney\+/ })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Netflix/ })).toBeNull()
  })

  it('says so when the provider has been shared in another tab meanwhile', async () => {
    const { user } = await open('/create?category=streaming')
    const netflix = await screen.findByRole('button', { name: /^Netflix/ })
    await share('netflix-standard')
    await user.click(netflix)
    expect(await screen.findByText('Provider Already Shared')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Netflix/ })).toBeNull())
  })

  it('leads to the existing plan when the database refuses a second one', async () => {
    const address = '/create?category=streaming&provider=netflix&plan=netflix-premium&part=slots'
    const { router, user } = await open(address)
    const create = await screen.findByRole('button', { name: 'Create Subscription' })
    await share('netflix-standard')
    await user.click(create)
    expect(await screen.findByText('Duplicate Subscription')).toBeTruthy()
    const [plan] = await plansOfOlivia()
    await waitFor(() => expect(router.state.location.pathname).toBe(`/manage-shared/${plan?.id}`))
  })

  it('shows what the database refuses', async () => {
    const address = `/create?category=streaming&provider=netflix&plan=netflix-premium&part=slots`
    const { user } = await open(address)
    const create = await screen.findByRole('button', { name: 'Create Subscription' })
    const { db } = server
    await db.query(
      `update service_provider_data set data = jsonb_path_query_array(data, '$[*] ? (@.id != "netflix")')`,
    )
    try {
      await user.click(create)
      expect(await screen.findByText('Validation Error')).toBeTruthy()
      expect(await screen.findByText('This plan is not in the catalogue')).toBeTruthy()
      expect(await plansOfOlivia()).toEqual([])
    } finally {
      await db.query('update service_provider_data set data = (select data from private.bundled_catalogue)')
    }
  })

  const withheld = async (table: string, from: string, sentence: string) => {
    const { db } = server
    await db.query(`revoke select on public.${table} from ${from}`)
    try {
      const { user } = await open('/create')
      expect((await screen.findByRole('alert')).textContent).toContain(sentence)
      await db.query(`grant select on public.${table} to ${from}`)
      await user.click(screen.getByRole('button', { name: 'Try Again' }))
      expect(await screen.findByRole('button', { name: /^Music/ })).toBeTruthy()
    } finally {
      await db.query(`grant select on public.${table} to ${from}`)
    }
  }

  it('says that the providers cannot be loaded, and loads them again', () =>
    withheld('service_provider_data', 'anon, authenticated', 'Error loading service providers'))

  it('says that the plans cannot be loaded, and loads them again', () =>
    withheld('shared_subscriptions', 'authenticated', 'Error loading plans'))

  it('says that the plans cannot be loaded when a provider is picked', async () => {
    const { db } = server
    const { user, router } = await open('/create?category=music')
    const spotify = await screen.findByRole('button', { name: /^Spotify/ })
    await db.query('revoke select on public.shared_subscriptions from authenticated')
    try {
      await user.click(spotify)
      expect(await screen.findByText('Error loading plans')).toBeTruthy()
      expect(router.state.location.search).toEqual({ category: 'music' })
    } finally {
      await db.query('grant select on public.shared_subscriptions to authenticated')
    }
  })

  describe('that ends badly', () => {
    const duo = '/create?category=music&provider=spotify&plan=spotify-premium-duo&part=slots'
    const ready = async () => {
      const opened = await open(duo)
      return { ...opened, create: await screen.findByRole('button', { name: 'Create Subscription' }) }
    }
    const atSignIn = async (router: Awaited<ReturnType<typeof open>>['router']) => {
      await waitFor(() => expect(router.state.location.pathname).toBe('/signin'))
      expect(String(router.state.location.search.redirect)).toContain('plan=spotify-premium-duo')
      expect(await plansOfOlivia()).toEqual([])
    }
    /** What the browser keeps of the session. */
    const storedSession = () => {
      const key = Object.keys(window.localStorage).find((name) => name.endsWith('-auth-token')) ?? ''
      return { key, session: JSON.parse(window.localStorage.getItem(key) ?? '{}') as Record<string, unknown> }
    }

    it('for want of a session is "Authentication Required" and leads to sign-in and back', async () => {
      const { router, user, create } = await ready()
      window.localStorage.removeItem(storedSession().key)
      await user.click(create)
      expect(await screen.findByText('Authentication Required')).toBeTruthy()
      await atSignIn(router)
    })

    it('for a session that cannot be read is "Authentication Error" and stays', async () => {
      const { router, user, create } = await ready()
      vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
        throw new Error('The browser keeps its storage closed')
      })
      await user.click(create)
      expect(await screen.findByText('Authentication Error')).toBeTruthy()
      expect(router.state.location.search).toMatchObject({ plan: 'spotify-premium-duo' })
      expect(await plansOfOlivia()).toEqual([])
    })

    it('for a token that is no longer taken is "Session Expired", signs out and leads to sign-in', async () => {
      const { router, user, create } = await ready()
      const { key, session } = storedSession()
      const [head, body] = olivia.accessToken.split('.')
      const forged = `${head}.${body}.${'A'.repeat(43)}`
      window.localStorage.setItem(key, JSON.stringify({ ...session, access_token: forged }))
      await user.click(create)
      expect(await screen.findByText('Session Expired')).toBeTruthy()
      await atSignIn(router)
      expect(window.localStorage.getItem(key)).toBeNull()
    })

    it('for want of permission is "Permission Error", signs out and leads to sign-in', async () => {
      const { router, user, create } = await ready()
      await server.db.query('revoke insert on public.shared_subscriptions from authenticated')
      try {
        await user.click(create)
        expect(await screen.findByText('Permission Error')).toBeTruthy()
        await atSignIn(router)
        expect(window.localStorage.getItem(storedSession().key)).toBeNull()
      } finally {
        await server.db.query('grant insert on public.shared_subscriptions to authenticated')
      }
    })

    it('for any other reason is "Error Creating Subscription" and stays', async () => {
      const { router, user, create } = await ready()
      await server.db.query('alter function private.new_plan_id() rename to another_plan_id')
      try {
        await user.click(create)
        expect(await screen.findByText('Error Creating Subscription')).toBeTruthy()
        expect(router.state.location.search).toMatchObject({ plan: 'spotify-premium-duo' })
      } finally {
        await server.db.query('alter function private.another_plan_id() rename to new_plan_id')
      }
    })

    it('a fourth time within the minute says how long to wait', async () => {
      const { user, create } = await ready()
      await share('netflix-premium')
      await share('disney-plus-standard')
      await share('youtube-premium-family')
      await user.click(create)
      expect(await screen.findByText('Too Many Requests')).toBeTruthy()
      expect(await screen.findByText(/^Rate limit exceeded\. Please wait \d+ seconds\.$/)).toBeTruthy()
    })
  })

  it('sends a visitor to sign-in with the way back', async () => {
    const { router } = await openApp(server, '/create?category=music')
    await waitFor(() => expect(router.state.location.pathname).toBe('/signin'))
    expect(router.state.location.search).toMatchObject({ redirect: '/create?category=music' })
    expect(await screen.findByText('Authentication Required')).toBeTruthy()
  })
})
