import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import { config, setConfig } from '#lib/config.ts'
import { openApp } from '../app.tsx'
import { ask, newPeople, type People, sharePlan } from '../sharing.ts'

describe('finding one’s way', async () => {
  const server = await testServer()
  let people: People
  let planId: string

  beforeAll(async () => {
    people = await newPeople(server)
    planId = await sharePlan(people.olivia)
  })

  const open = (address: string, person?: TestUser) => openApp(server, address, person && { as: person })
  const bottom = () => screen.findByRole('navigation', { name: 'Bottom' })
  const waysIn = (place: HTMLElement) =>
    within(place)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')])

  it('counts the requests for all plans of an owner on a bell that leads to them', async () => {
    const { olivia, marc, zoe } = people
    const second = await sharePlan(olivia, 3, 'spotify-premium-family')
    await ask(marc, planId)
    await ask(zoe, planId)
    const last = await ask(zoe, second)
    const { at } = await open('/about', olivia)
    const bell = await screen.findByRole('link', { name: 'Join requests, 3 pending' })
    expect(bell.parentElement?.textContent).toBe('3')
    await olivia.client
      .rpc('approve_subscription_request', { p_request_id: last, p_subscription_id: second })
      .throwOnError()
    await screen.findByRole('link', { name: 'Join requests, 2 pending' })
    // The other bell is a button of its own, with the notifications.
    expect(screen.getByRole('button', { name: /^Notifications/ })).toBeTruthy()
    await userEvent.click(bell)
    await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=requests'))
  })

  it('leads from the top bar and its menu to everything of one’s own, with no number where nobody asks', async () => {
    const { at } = await open('/about', people.marc)
    const bell = await screen.findByRole('link', { name: 'Join requests' })
    expect(bell.parentElement?.textContent).toBe('')
    expect(waysIn(screen.getByRole('navigation', { name: 'Main' }))).toEqual([
      ['Home', '/'],
      ['My Subscriptions', '/my-subscriptions'],
      ['Browse Plans', '/available-subscriptions'],
      ['My Savings', '/my-savings'],
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Your menu' }))
    const entries = await within(await screen.findByRole('menu')).findAllByRole('menuitem')
    expect(entries.map((entry) => [entry.textContent, entry.getAttribute('href')])).toEqual([
      ['Dashboard', '/dashboard'],
      ['My Savings', '/my-savings'],
      ['My Payments', '/payments'],
      ['Savings Insights', '/savings-insights'],
      ['Provider Requests', '/my-provider-requests'],
      ['Account Settings', '/account-settings'],
      ['Log out', null],
    ])
    await userEvent.click(screen.getByRole('menuitem', { name: 'Savings Insights' }))
    await waitFor(() => expect(at()).toBe('/savings-insights'))
    await screen.findByRole('heading', { level: 1, name: 'Savings Insights' })
  })

  it('leads on from the footer, to pages of the operator too', async () => {
    const { at, router } = await open('/about')
    const footer = await screen.findByRole('navigation', { name: 'Footer' })
    expect(waysIn(footer)).toEqual([
      ['Dashboard', '/home'],
      ['Plans to Join', '/plans'],
      ['How It Works', '/about'],
      ['Open Books', '/books'],
      ['Privacy', '/privacy'],
      ['Terms', '/terms'],
    ])
    const social = screen.getByRole('list', { name: 'Social media' })
    expect(
      within(social)
        .getAllByRole('link')
        .map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]),
    ).toEqual([
      ['Facebook', 'https://www.facebook.com/'],
      ['Twitter', 'https://x.com/'],
      ['Instagram', 'https://www.instagram.com/'],
      ['LinkedIn', 'https://www.linkedin.com/'],
      ['YouTube', 'https://www.youtube.com/'],
    ])
    await userEvent.click(within(footer).getByRole('link', { name: 'Dashboard' }))
    await waitFor(() => expect(at()).toBe('/'))
    setConfig({ ...config(), socialLinks: ['https://www.youtube.com/@our-table'] })
    await router.navigate({ href: '/no/such/page' })
    await screen.findByText('Oops! Page not found')
    expect(screen.getByText('Return to Home').closest('a')?.getAttribute('href')).toBe('/')
    expect(screen.getByRole('link', { name: 'YouTube' }).getAttribute('href')).toBe(
      'https://www.youtube.com/@our-table',
    )
  })

  it('offers a visitor the ways on, at the top and at the bottom', async () => {
    await open('/about')
    expect(waysIn(await screen.findByRole('navigation', { name: 'Main' }))).toEqual([
      ['Home', '/'],
      ['Plans', '/plans'],
      ['About', '/about'],
      ['Sign In', '/signin'],
      ['Sign Up', '/signup'],
    ])
    expect(waysIn(await bottom())).toEqual([
      ['Home', '/'],
      ['Sign In', '/signin'],
      ['Sign Up', '/signup'],
      ['About', '/about'],
    ])
  })

  it('offers an account there, which slides in the menu', async () => {
    const { at } = await open('/about', people.marc)
    const bar = await bottom()
    await waitFor(() =>
      expect([...bar.children].map((item) => [item.textContent, item.getAttribute('href')])).toEqual([
        ['Home', '/'],
        ['Plans', '/my-subscriptions'],
        ['Create', '/create'],
        ['Account', null],
      ]),
    )
    await userEvent.click(within(bar).getByRole('button', { name: 'Account' }))
    const menu = await screen.findByRole('dialog')
    expect(menu.textContent).toContain(people.marc.email)
    await userEvent.click(within(menu).getByRole('link', { name: 'My Subscriptions' }))
    await waitFor(() => expect(at()).toBe('/my-subscriptions'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('hides the bottom bar on the five addresses about signing in, and shows it elsewhere', async () => {
    const { router } = await open('/about')
    for (const address of ['/signin', '/signup', '/sign-in', '/sign-up', '/reset-password']) {
      await router.navigate({ href: address })
      await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Bottom' })).toBeNull())
      await router.navigate({ href: '/terms' })
      await bottom()
    }
  })

  it('goes back to /admin from below it, else in history, else to /', async () => {
    const { at, router } = await open('/terms')
    const back = () => screen.findByRole('button', { name: 'Back' })
    await userEvent.click(await back())
    await waitFor(() => expect(at()).toBe('/'))
    await router.navigate({ href: '/about' })
    await router.navigate({ href: '/privacy' })
    await userEvent.click(await back())
    await waitFor(() => expect(at()).toBe('/about'))
    await router.navigate({ href: '/admin/users/of/old' })
    // Where it leads first; the gate of the administration may lead on.
    const wanted: string[] = []
    router.subscribe('onBeforeNavigate', ({ toLocation }) => wanted.push(toLocation.pathname))
    await userEvent.click(await back())
    await waitFor(() => expect(wanted[0]).toBe('/admin'))
  })

  it('shows no way back on a plan’s own address', async () => {
    const { router } = await open('/about', people.olivia)
    await screen.findByRole('button', { name: 'Back' })
    await router.navigate({ href: `/subscription/${planId}` })
    await screen.findByRole('heading', { level: 1, name: 'Manage Your Shared Plan' })
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull()
  })

  it('leads from other addresses to the screens they stand for', async () => {
    const { at, router } = await open('/dashboard', people.olivia)
    await waitFor(() => expect(at()).toBe('/my-subscriptions'))
    for (const address of ['/home', '/user-home']) {
      await router.navigate({ href: address })
      await waitFor(() => expect(at()).toBe('/'))
      await router.navigate({ href: '/about' })
    }
    await router.navigate({ href: `/simple-subscription/${planId}` })
    await waitFor(() => expect(at()).toMatch(new RegExp(`^/subscription/${planId}`)))
    expect(await screen.findByRole('heading', { level: 1, name: 'Manage Your Shared Plan' })).toBeTruthy()
  })

  it('says who runs the site, what happens to data and what the rules are', async () => {
    const { router } = await open('/privacy')
    expect(await screen.findByRole('heading', { level: 1, name: 'Privacy' })).toBeTruthy()
    expect(sections()).toEqual([
      'Who is responsible',
      'What is kept',
      'Who sees it',
      'In your browser',
      'How long',
    ])
    expect(screen.getByRole('article').textContent).toContain('run by Potluck Test')
    await router.navigate({ to: '/terms' })
    expect(await screen.findByRole('heading', { level: 1, name: 'Terms' })).toBeTruthy()
    expect(sections()).toEqual([
      'What Potluck does',
      'Only what may be shared',
      'Prices and fee',
      'Coins',
      'Leaving',
      'No guarantee',
    ])
    expect(screen.getByRole('article').textContent).toContain('This copy of Potluck is run by Potluck Test')
  })
})

const sections = () =>
  within(screen.getByRole('article'))
    .getAllByRole('heading', { level: 2 })
    .map((heading) => heading.textContent)
