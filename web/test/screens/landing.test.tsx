import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Provider } from '#domain/catalogue.ts'
import { loadCatalogue } from '#features/catalogue/load-catalogue.ts'
import { colorOf } from '#features/providers/name-color.ts'
import { showPrices } from '../../landing/bring-up-to-date.ts'
import { Page } from '../../landing/Page.tsx'
import { showPlans } from '../../landing/show-plans.ts'
import { openApp } from '../app.tsx'
import { password, sharePlan } from '../sharing.ts'

describe('the pages that explain', async () => {
  const server = await testServer()
  let zoe: TestUser
  beforeAll(async () => {
    zoe = await addUser(server, 'zoe@potluck.example', { password })
  })
  const asVisitor = (address: string) => openApp(server, address)
  const asZoe = (address: string) => openApp(server, address, { as: { email: zoe.email, password } })
  const link = (name: string) => screen.findByRole('link', { name })

  it('tells visitors what this is, and lets them sign in first', async () => {
    const { at, router } = await asVisitor('/')
    const headline = await screen.findByRole('heading', { level: 1 })
    expect(headline.textContent).toMatch(/share subscriptions.*split the cost.*save together/i)
    for (const [name, target] of [
      ['Share a Subscription', '/create'],
      ['Subscribe to a Plan', '/available-subscriptions'],
    ] as const) {
      await userEvent.click(await link(name))
      await waitFor(() => expect(at()).toBe(`/sign-in?from=${encodeURIComponent(target)}`))
      await router.navigate({ to: '/' })
    }
    expect((await link('Learn More about how sharing works')).getAttribute('href')).toBe('/about')
    await userEvent.click(await link('Get Started'))
    await waitFor(() => expect(at()).toBe('/signin'))
  })

  it('leads signed-in people straight there, and to the top again', async () => {
    const { at } = await asZoe('/')
    await waitFor(async () =>
      expect((await link('Share a Subscription')).getAttribute('href')).toBe('/create'),
    )
    expect((await link('Subscribe to a Plan')).getAttribute('href')).toBe('/available-subscriptions')
    expect((await link('Learn More about how sharing works')).getAttribute('href')).toBe('/about')
    const scroll = vi.spyOn(window, 'scrollTo')
    await userEvent.click(screen.getByRole('button', { name: 'Get Started' }))
    expect(scroll).toHaveBeenCalledWith(expect.objectContaining({ top: 0 }))
    expect(screen.queryByText('Potential Savings')).toBeNull()
    const services = screen.getByRole('region', { name: 'Popular Services' })
    expect(await within(services).findAllByRole('listitem')).toHaveLength(17)
    const [service] = within(services).getAllByRole('link')
    if (!service) throw new Error('No service leads anywhere')
    await userEvent.click(service)
    await waitFor(() => expect(at()).toMatch(/^\/available-subscriptions\?provider=/))
    await screen.findByText(`Nobody shares ${service.lastElementChild?.textContent} right now.`, {
      exact: false,
    })
  })

  it('shows seventeen services, with their marks', async () => {
    await asVisitor('/')
    const names = () =>
      [...screen.getByRole('region', { name: 'Popular Services' }).querySelectorAll('li')].map(
        (slide) => slide.textContent,
      )
    await waitFor(() => expect(names()).toHaveLength(17))
    expect(new Set(names()).size).toBe(17)
  })

  it('adds up examples at catalogue prices, marked as such', async () => {
    await asVisitor('/')
    const teaser = await screen.findByRole('region', { name: 'Potential Savings' })
    const card = (title: string) => {
      const found = within(teaser).getByRole('heading', { level: 3, name: title }).closest('article')
      if (!(found instanceof HTMLElement)) throw new Error(`${title} is not on a card`)
      expect(within(found).getByText('Example')).toBeTruthy()
      return found.textContent
    }
    const services = within(teaser).getByRole('group', { name: 'Services to share' })
    const choices = within(services).getAllByRole('checkbox')
    expect(choices).toHaveLength(6)
    for (const choice of choices) if ((choice as HTMLInputElement).checked) await userEvent.click(choice)
    expect(card('Monthly Savings')).toContain('€0.00')

    // Netflix Premium is 19.99 for four: 5.50 each with the fee, 14.49 less than alone.
    await userEvent.click(within(services).getByRole('checkbox', { name: 'Netflix' }))
    expect(card('Monthly Savings')).toMatch(/€14\.49.*Netflix.*€19\.99.*€5\.50/)
    expect(card('Shared With')).toContain('3 people')
    expect(card('Total Saved This Year')).toMatch(/€173\.88.*35% of the goal.*Goal €500\.00/)
  })

  it('brings a page that was made before up to today’s prices, without what can no longer be shared', async () => {
    await asVisitor('/')
    const teaser = await screen.findByRole('region', { name: 'Potential Savings' })
    const dearer = (await loadCatalogue()).flatMap(({ plans, ...provider }) =>
      provider.name === 'Spotify'
        ? []
        : { ...provider, plans: plans.map((plan) => ({ ...plan, price: plan.price * 2 })) },
    )
    showPrices(document, dearer, 0.2)
    // Half of 19.99 each with a fee of 20 percent, in the example and in the list of prices alike.
    expect(teaser.textContent).toMatch(/Netflix.*€39\.98.*€12\.00/)
    const list = screen.getByRole('region', { name: 'Plans to join' })
    expect(list.textContent).toMatch(/Netflix Premium€12\.00 a month, €39\.98 alone/)
    expect(list.textContent).not.toContain('Spotify')
    expect(within(teaser).queryByText('Spotify')).toBeNull()
    expect(within(teaser).getAllByRole('checkbox')).toHaveLength(5)
    // Netflix alone saves 27.98 then, Microsoft 365 21.50 less 4.30.
    expect(within(teaser).getByText('€45.18')).toBeTruthy()
  })

  it('shows plans with a place to everybody, and searches for more; without any what one costs, and says so', async () => {
    const { at, user, cache } = await asVisitor('/')
    const plans = within(await screen.findByRole('region', { name: 'Plans to join' }))
    const state = () => document.querySelector<HTMLElement>('[data-plans]')?.dataset.state
    await waitFor(() => expect(state()).toBe('none'))
    expect(plans.getByText(/Nobody has a place to give right now\. What one costs at/).textContent).toContain(
      'at today’s list prices, all in:',
    )
    await waitFor(() =>
      expect(plans.getAllByRole('listitem')[0]?.textContent).toMatch(/^Netflix.*€5\.50 a month/),
    )
    const planId = await sharePlan(zoe)
    await cache.invalidateQueries({ queryKey: ['shown-plans'] })
    await waitFor(() => expect(state()).toBe('live'))
    const plan = plans.getByRole('link', { name: /^Netflix Premium/ })
    expect(plan.textContent).toBe(
      'Netflix Premium€5.00 a month, €19.99 alonezoe shares it, 3 of 4 places open',
    )
    expect(plan.getAttribute('href')).toBe(`/plans/${planId}`)
    await user.type(plans.getByRole('searchbox'), 'net{Enter}')
    await waitFor(() => expect(at()).toBe('/plans?q=net'))
    await zoe.client.from('shared_subscriptions').delete().eq('id', planId).throwOnError()
  })

  it('fills the page that was made before with plans, each with its mark, or says that there are none', async () => {
    const page = document.createElement('div')
    const services = [
      { id: 'netflix', name: 'Netflix', category: 'streaming', plans: [] },
    ] as unknown as Provider[]
    page.innerHTML = renderToStaticMarkup(<Page providers={services} feeRate={0.1} asOf="22 November 2026" />)
    const section = page.querySelector<HTMLElement>('[data-plans]')
    expect(section?.dataset.state).toBe('unknown')
    expect(section?.querySelector('[data-when="unknown"]')?.textContent).toContain(
      'list prices of 22 November 2026',
    )
    const plan = { name: 'Premium', ownerName: 'Olivia', cost: 5.5, alone: 19.99, free: 2, places: 4 }
    showPlans(page, [
      { ...plan, id: 'sub-1', provider: 'Netflix' },
      { ...plan, id: 'sub-2', provider: 'Home "Cinema"', ownerName: '<b>Eve</b>' },
    ])
    expect(section?.dataset.state).toBe('live')
    const [first, second] = section?.querySelectorAll('[data-list] a') ?? []
    expect(first?.getAttribute('href')).toBe('/plans/sub-1')
    expect(first?.querySelector('use')?.getAttribute('href')).toMatch(/#netflix$/)
    expect(first?.textContent).toBe(
      'Netflix Premium€5.50 a month, €19.99 aloneOlivia shares it, 2 of 4 places open',
    )
    expect(second?.querySelector<HTMLElement>('[data-letters="2"]')?.parentElement?.style.cssText).toContain(
      `--provider-color: ${colorOf('Home "Cinema"')}`,
    )
    expect(second?.textContent).toMatch(/^HCHome "Cinema" Premium.*<b>Eve<\/b> shares it/)
    showPlans(page, [])
    expect(section?.dataset.state).toBe('none')
    expect(section?.querySelectorAll('[data-list] a')).toHaveLength(0)
  })

  it('says what protects both sides, and leads to the books', async () => {
    await asVisitor('/')
    const protection = within(await screen.findByRole('region', { name: 'What protects both sides' }))
    expect(protection.getAllByRole('heading', { level: 3 }).map((title) => title.textContent)).toEqual([
      'Money back by itself',
      'Paid for time that works',
      'Paid before access',
      'A vault for what opens a plan',
      'Standing from facts',
      'Books in public',
    ])
    expect(protection.getByText(/within 48 hours/)).toBeTruthy()
    expect(protection.getByRole('link', { name: 'Read the books' }).getAttribute('href')).toBe('/books')
  })

  it('names six features and three figures', async () => {
    await asVisitor('/')
    const features = (
      await screen.findByRole('heading', { name: 'Everything a shared table needs' })
    ).closest('section')
    if (!features) throw new Error('The features are in no section')
    expect(
      within(features)
        .getAllByRole('heading', { level: 3 })
        .map((title) => title.textContent),
    ).toEqual([
      'Group Management',
      'Cost Splitting',
      'Payment Tracking',
      'Payment Reminders',
      'Secure Sharing',
      'Service Categories',
    ])
    const figures = screen.getByRole('region', { name: 'In figures' })
    expect([...figures.querySelectorAll('dl > div')].map((one) => one.textContent)).toEqual([
      'average savings80%',
      'yearly savings250+ €',
      'setup5 min',
    ])
  })

  it('explains in three steps, four benefits and six questions', async () => {
    await asVisitor('/about')
    expect(await screen.findByText(/Average savings are 65-80 percent/)).toBeTruthy()
    const main = screen.getByRole('main')
    expect(main.querySelectorAll('ol > li')).toHaveLength(3)
    for (const step of main.querySelectorAll('ol > li')) expect(step.textContent).toMatch(/^[123]\S.{20,}/)
    expect(screen.getByRole('heading', { level: 2, name: 'Why it is worth it' })).toBeTruthy()
    expect(main.querySelectorAll('.mantine-Card-root h3')).toHaveLength(4)
    const questions = main.querySelectorAll('.mantine-Accordion-control')
    expect(questions).toHaveLength(6)
    for (const question of questions) {
      await userEvent.click(question)
      const answer = document.getElementById(question.getAttribute('aria-controls') ?? '')
      expect(answer?.textContent?.length).toBeGreaterThan(40)
    }
    await userEvent.click(screen.getByRole('button', { name: 'How much can I save?' }))
    expect(screen.getByText(/people save 65-80 percent/)).toBeTruthy()
  })

  it('leads visitors to /', async () => {
    await asVisitor('/about')
    expect((await link('Start Saving')).getAttribute('href')).toBe('/')
  })

  it('leads signed-in people to their plans', async () => {
    await asZoe('/about')
    expect((await link('Go to My Subscriptions')).getAttribute('href')).toBe('/my-subscriptions')
  })
})
