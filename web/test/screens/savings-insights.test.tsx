import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { refuse } from '../network.ts'
import { join, newPeople, type People, payOwner, payThroughSite, sharePlan } from '../sharing.ts'

describe('savings insights', async () => {
  const server = await testServer()
  let people: People
  let netflix: string
  let microsoft: string

  beforeAll(async () => {
    people = await newPeople(server)
    const { olivia, marc } = people
    netflix = await sharePlan(olivia)
    microsoft = await sharePlan(olivia, 6, 'microsoft-365-family')
    await join(olivia, marc, netflix)
    await join(olivia, marc, microsoft)
    for (const planId of [netflix, microsoft]) await payThroughSite(server, planId)
    // What somebody shares themselves saves them nothing here.
    await sharePlan(marc, 6, 'spotify-premium-family')
  })

  const open = (who: keyof People, tab = '') =>
    openApp(server, `/savings-insights${tab}`, { as: people[who] })
  const part = async (name: string) =>
    (await screen.findByLabelText(name, { selector: 'section' })).textContent
  const panel = () => screen.getByRole('tabpanel', { hidden: false })
  const choose = async (user: UserEvent, name: string) => {
    await user.click(screen.getByRole('tab', { name }))
    await waitFor(() => expect(screen.getByRole('tab', { selected: true }).textContent).toBe(name))
    return within(panel())
  }
  const milestones = () =>
    [...screen.getByLabelText('Milestones', { selector: 'ol' }).children].map(
      ({ textContent }) => textContent,
    )

  it('shows what the joined plans save, all together, on the way and one by one', async () => {
    const { user, at } = await open('marc')
    await screen.findByRole('heading', { level: 1, name: 'Savings Insights' })
    const tabs = screen.getAllByRole('tab').map(({ textContent }) => textContent)
    expect(tabs).toEqual(['Overview', 'Calculator', 'Milestones', 'Comparisons'])
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Overview')
    // Netflix: 19.99 less 5.50; Microsoft, a year's price: 10.75 less 1.97.
    expect(await part('Monthly savings')).toContain('€23.27')
    expect(await part('Total saved')).toBe(
      'Total savedSix-month estimate€139.626 months at what you save now',
    )
    await waitFor(async () =>
      expect(await part('Shared plans')).toBe('Shared plans32 joined, 1 shared by you'),
    )
    expect(await part('Before and after')).toBe(
      'Before and afterBefore, alone€30.74 / monthAfter, shared€7.47 / month',
    )

    const way = await choose(user, 'Milestones')
    expect(at()).toBe('/savings-insights?tab=milestones')
    expect(way.getByText(/^Measured on your total saved/).textContent).toContain('€139.62')
    expect(milestones()).toEqual([
      'First StepsReachedAt €50.00 saved',
      'Getting StartedReachedAt €100.00 saved',
      'Savings Pro€110.38 to goAt €250.00 saved',
      'Master Saver€360.38 to goAt €500.00 saved',
      'Savings Legend€860.38 to goAt €1,000.00 saved',
    ])
    const comparisons = (await choose(user, 'Comparisons')).getAllByRole('article')
    expect(comparisons.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining(
        'Before, alone€10.75 / monthAfter, shared€1.97 / monthYou save €8.78 / monthPaid once a year, counted per month',
      ),
      expect.stringMatching(/€19\.99 \/ monthAfter, shared€5\.50 \/ monthYou save €14\.49 \/ month$/),
    ])
    const links = [...panel().querySelectorAll('a')]
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Microsoft 365 Family (annual)', `/manage-subscribed/${microsoft}`],
      ['Netflix Premium', `/manage-subscribed/${netflix}`],
    ])
  })

  it('calculates for two examples, from 2 members to as many as each plan takes', async () => {
    const { user } = await open('marc', '?tab=calculator')
    await part('A plan for up to 6')
    const examples = [...panel().querySelectorAll('section')]
    const sliders = examples.map((example) => within(example).getByRole('slider', { name: 'Members' }))
    const bounds = ['aria-valuemin', 'aria-valuenow', 'aria-valuemax']
    expect(sliders.map((slider) => bounds.map((name) => slider.getAttribute(name)))).toEqual([
      ['2', '6', '6'],
      ['2', '4', '4'],
    ])
    sliders[1]?.focus()
    // One step beyond either end stays there.
    for (const [keys, members, shared, saved] of [
      ['{Home}{ArrowLeft}', 2, '€7.15', '€5.84'],
      ['{End}{ArrowRight}', 4, '€3.58', '€9.41'],
    ] as const) {
      await user.keyboard(keys)
      expect(sliders[1]?.getAttribute('aria-valuenow')).toBe(String(members))
      expect(examples[1]?.textContent).toBe(
        `A plan for up to 4ExampleBase price €12.99 / monthShared by ${members} members234Before, alone€12.99 / month` +
          `After, shared${shared} / monthEach member saves ${saved} / month`,
      )
    }
    expect(examples[0]?.textContent).toContain('Base price €15.99 / monthShared by 6 members')
  })

  it('leads from nothing saved to the plans, and celebrates the first 50 euro once', async () => {
    const { olivia, zoe } = people
    const { user } = await open('zoe')
    expect(await part('Total saved')).toContain('€0.00')
    expect(screen.queryByLabelText('Before and after')).toBeNull()
    for (const tab of ['Comparisons', 'Milestones', 'Overview']) {
      const way = (await choose(user, tab)).getByText('Find a Plan to Join').closest('a')
      expect(way?.getAttribute('href')).toBe('/available-subscriptions')
    }
    await choose(user, 'Milestones')
    expect(milestones()[0]).toBe('First Steps€50.00 to goAt €50.00 saved')
    expect(screen.queryByText('Milestone reached')).toBeNull()
    await payOwner(server, netflix)
    await join(olivia, zoe, netflix)
    await payThroughSite(server, netflix)
    const popup = await screen.findByText('Milestone reached')
    expect(popup.closest('[role="status"]')?.textContent).toContain('First Steps€50.00')
    expect(milestones()[0]).toBe('First StepsReachedAt €50.00 saved')

    await open('zoe')
    expect(await part('Total saved')).toContain('€86.94')
    expect(screen.queryByText('Milestone reached')).toBeNull()
  })

  it('says when the plans cannot be loaded, and tries again', async () => {
    const refused = refuse('GET /rest/v1/subscription_members', '42501')
    const { user } = await open('marc')
    await screen.findByText('Failed to load subscribed plans')
    expect(screen.queryByText('Total saved')).toBeNull()
    refused.heal()
    await user.click(screen.getByText('Retry'))
    expect(await part('Total saved')).toContain('€139.62')
    await waitFor(() => expect(screen.queryByText('Failed to load subscribed plans')).toBeNull())
  })
})
