// The pages that explain the site, for visitors and for signed-in people.
// Proves LAND 01-09, ABOUT 01-04
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Provider } from '#domain/catalogue.ts'
import { loadCatalogue } from '#features/plans/catalogue/load-catalogue.ts'
import { colorOf } from '#features/plans/providers/name-color.ts'
import { showPrices } from '../../landing/bring-up-to-date.ts'
import { Page } from '../../landing/Page.tsx'
import { NAME_OF, showPlans } from '../../landing/show-plans.ts'
import { endPlan, hideOtherPlans } from '../acting.ts'
import { openApp } from '../app.tsx'
import { control, region } from '../parts.ts'
import { nameOf, newPerson } from '../people.ts'
import { sharePlan } from '../sharing.ts'

const server = await testServer()
beforeEach(() => hideOtherPlans(server))

const leadsTo = async (name: string, address: string) =>
  expect((await control(name)).getAttribute('href')).toBe(address)
const titles = (level: number, where: Pick<typeof screen, 'getAllByRole'> = screen) =>
  where.getAllByRole('heading', { level }).map(({ textContent }) => textContent)

it('tells visitors what this is, adds up examples marked as such, and lets them sign in first', async () => {
  const { at, router, user } = await openApp(server, '/')
  const headline = await screen.findByRole('heading', { level: 1 })
  expect(headline.textContent).toMatch(/share subscriptions.*split the cost.*save together/i)
  const names = () =>
    [...screen.getByRole('region', { name: 'Popular Services' }).querySelectorAll('li')].map(
      (slide) => slide.textContent,
    )
  await waitFor(() => expect(names()).toHaveLength(17))
  expect(new Set(names()).size).toBe(17)
  const slide = within(screen.getByRole('region', { name: 'Popular Services' })).getAllByRole('link')[0]
  expect(slide?.getAttribute('href')).toMatch(/^\/plans\?service=\w+/)

  const teaser = await screen.findByRole('region', { name: 'Potential Savings' })
  const card = (title: string) => {
    const found = within(teaser).getByRole('heading', { level: 3, name: title }).closest('article')
    if (!found) throw new Error(`${title} is not on a card`)
    return found.textContent
  }
  within(teaser).getByText('An example at today’s list prices.')
  // Netflix Premium is 19.99 for four: 5.50 each with the fee.
  expect(card('Monthly Savings')).toMatch(/€41\.22.*Netflix.*€19\.99.*€5\.50.*Spotify.*Microsoft 365/)
  expect(card('Shared With')).toContain('13 people')
  expect(card('Total Saved This Year')).toMatch(/€494\.64.*99% of the goal.*Goal €500\.00/)

  const protection = await region('What protects both sides')
  expect(titles(3, protection)).toEqual([
    'Automatic refunds',
    'Pay only for what works',
    'Standing you can trust',
  ])
  protection.getByText(/within 48 hours/)
  await leadsTo('See the books', '/books')
  const features = screen.getByRole('heading', { name: 'Everything a shared table needs' }).closest('section')
  expect(titles(3, within(features as HTMLElement))).toEqual([
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
    'yearly savings€250+',
    'setup5 min',
  ])
  // The figures follow from the catalogue.
  const [, percent, yearly] =
    /(\d+)% less on average across 6 .* €([\d.]+) a year/.exec(figures.textContent) ?? []
  expect(Number(percent)).toBeGreaterThanOrEqual(80)
  expect(Number(yearly)).toBeGreaterThanOrEqual(250)

  // A prerendered page is updated to today's prices, without plans that can no longer be shared.
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
  for (const part of [list, teaser]) expect(part.textContent).not.toContain('Spotify')
  // Netflix alone then saves 27.98, and Microsoft 365 saves 21.50 less 4.30.
  within(teaser).getByText('€45.18')

  await leadsTo('Learn More about how sharing works', '/about')
  // The link is at the top, and again below the plans that are shown.
  const all = screen.getAllByText('See all plans')
  expect(all.map((link) => link.getAttribute('href'))).toEqual(['/plans', '/plans'])
  for (const [name, target] of [
    ['Share a Subscription', '/create'],
    ['Subscribe to a Plan', '/available-subscriptions'],
  ] as const) {
    await user.click(await control(name))
    await waitFor(() => expect(at()).toBe(`/sign-in?from=${encodeURIComponent(target)}`))
    await router.navigate({ to: '/' })
  }
  await user.click(await control('Get Started'))
  await waitFor(() => expect(at()).toBe('/signin'))
})

it('leads signed-in people straight there, to the top again, and from a service to its plans', async () => {
  const { at, user, router } = await openApp(server, '/?view=offer', { as: await newPerson(server, 'zoe') })
  await waitFor(() => leadsTo('Share a Subscription', '/create'))
  await leadsTo('Subscribe to a Plan', '/available-subscriptions')
  await leadsTo('Learn More about how sharing works', '/about')
  const scroll = vi.spyOn(window, 'scrollTo')
  await user.click(await control('Get Started'))
  expect(scroll).toHaveBeenCalledWith(expect.objectContaining({ top: 0 }))
  expect(screen.queryByText('Potential Savings')).toBeNull()
  const services = await region('Popular Services')
  expect(await services.findAllByRole('listitem')).toHaveLength(17)
  const [service] = services.getAllByRole('link')
  if (!service) throw new Error('No service leads anywhere')
  await user.click(service)
  await waitFor(() => expect(at()).toMatch(/^\/plans\?service=/))
  const marked = [...document.querySelectorAll('nav[aria-label=Main] [aria-current=page]')]
  expect(marked.map(({ textContent }) => textContent)).toEqual(['Browse Plans'])
  await screen.findByText(`No one shares ${service.lastElementChild?.textContent} right now.`, {
    exact: false,
  })
  await router.navigate({ href: '/about' })
  await leadsTo('Go to My Subscriptions', '/my-subscriptions')
})

it('shows plans with a place to everybody, and searches for more; without any what one costs, and says so', async () => {
  const { at, user, cache } = await openApp(server, '/')
  const plans = await region('Plans to join')
  const state = () => document.querySelector<HTMLElement>('[data-plans]')?.dataset.state
  await waitFor(() => expect(state()).toBe('none'))
  expect(plans.getByText(/No open places right now\. What one costs/).textContent).toContain(
    'at today’s list prices:',
  )
  await waitFor(() =>
    expect(plans.getAllByRole('listitem')[0]?.textContent).toMatch(/^Netflix.*€5\.50 a month/),
  )
  const zoe = await newPerson(server, 'zoe')
  const planId = await sharePlan(zoe)
  await cache.invalidateQueries({ queryKey: ['shown-plans'] })
  await waitFor(() => expect(state()).toBe('live'))
  const plan = await control(
    `Netflix Premium€5.00 a month, €19.99 alone${nameOf(zoe)} shares it, 3 of 4 places open`,
  )
  expect(plan.getAttribute('href')).toBe(`/plans/${planId}`)
  await user.type(plans.getByRole('searchbox'), 'net{Enter}')
  await waitFor(() => expect(at()).toBe('/plans?q=net'))
  await endPlan(zoe, planId)
})

it('fills the page that was made before with plans, each with its mark, or says that there are none', () => {
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
  // The build writes the names into the template of a page in another language.
  const translated = document.createElement('span')
  translated.setAttribute(NAME_OF, 'Premium')
  translated.textContent = 'Premium (jährlich)'
  page.querySelector('template')?.content.append(translated)
  showPlans(page, [{ ...plan, id: 'sub-1', provider: 'Netflix' }])
  expect(section?.querySelector('[data-list] a')?.textContent).toMatch(/^Netflix Premium \(jährlich\)€5\.50/)
  showPlans(page, [])
  expect(section?.dataset.state).toBe('none')
  expect(section?.querySelectorAll('[data-list] a')).toHaveLength(0)
})

it('explains in three steps, four benefits and six questions, and leads on', async () => {
  const { user } = await openApp(server, '/about')
  await screen.findByText(/Average savings are 65-80 percent/)
  await leadsTo('Start Saving', '/')
  const main = screen.getByRole('main')
  expect(main.querySelectorAll('ol > li')).toHaveLength(3)
  for (const step of main.querySelectorAll('ol > li')) expect(step.textContent).toMatch(/^[123]\S.{20,}/)
  screen.getByRole('heading', { level: 2, name: 'Why it’s worth it' })
  expect(main.querySelectorAll('h3:not(.mantine-Accordion-item *)')).toHaveLength(4)
  const questions = main.querySelectorAll('.mantine-Accordion-control')
  expect(questions).toHaveLength(6)
  for (const question of questions) {
    await user.click(question)
    const answer = document.getElementById(question.getAttribute('aria-controls') ?? '')
    expect(answer?.textContent?.length).toBeGreaterThan(40)
  }
  await user.click(screen.getByText('How much can I save?'))
  screen.getByText(/65-80 percent of what the plan costs alone/)
})
