import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { refuse } from '../network.ts'
import { ask, join, newPeople, type People, password, sharePlan } from '../sharing.ts'

const MEMBERS = '/rest/v1/subscription_members'

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
    // What somebody shares themselves saves them nothing here.
    await sharePlan(marc, 6, 'spotify-premium-family')
  })

  const open = async (who: keyof People, tab?: string) => ({
    user: userEvent.setup(),
    ...(await openApp(server, `/savings-insights${tab ? `?tab=${tab}` : ''}`, {
      as: { email: people[who].email, password },
    })),
  })
  const part = async (name: string) => (await screen.findByRole('region', { name })).textContent
  const choose = async (user: ReturnType<typeof userEvent.setup>, name: string) => {
    await user.click(screen.getByRole('tab', { name }))
    await waitFor(() => expect(screen.getByRole('tab', { selected: true }).textContent).toBe(name))
    return within(screen.getByRole('tabpanel'))
  }
  const milestones = () =>
    within(screen.getByRole('list', { name: 'Milestones' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  const wayOn = (panel: ReturnType<typeof within>) =>
    panel.getByRole('link', { name: 'Find a Plan to Join' }).getAttribute('href')

  it('shows what the joined plans save, all together, on the way and one by one', async () => {
    const { user, at } = await open('marc')
    await screen.findByRole('heading', { level: 1, name: 'Savings Insights' })
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Overview',
      'Calculator',
      'Milestones',
      'Comparisons',
    ])
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

    const panel = await choose(user, 'Milestones')
    expect(at()).toBe('/savings-insights?tab=milestones')
    expect(panel.getByText(/^Measured on your total saved/).textContent).toContain('€139.62')
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
      expect.stringMatching(
        /Before, alone€19\.99 \/ monthAfter, shared€5\.50 \/ monthYou save €14\.49 \/ month$/,
      ),
    ])
    const links = screen.getByRole('tabpanel').querySelectorAll('a')
    expect([...links].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Microsoft 365 Family (annual)', `/manage-subscribed/${microsoft}`],
      ['Netflix Premium', `/manage-subscribed/${netflix}`],
    ])
  })

  it('calculates for two examples, from 2 members to as many as each plan takes', async () => {
    const { user } = await open('marc', 'calculator')
    const six = await screen.findByRole('region', { name: 'A plan for up to 6' })
    const four = screen.getByRole('region', { name: 'A plan for up to 4' })
    expect(screen.getByRole('tabpanel').querySelectorAll('section')).toHaveLength(2)
    for (const { example, base, most, shown } of [
      {
        example: six,
        base: '€15.99',
        most: '6',
        shown: [
          ['2', '€8.80', '€7.19'],
          ['6', '€2.94', '€13.05'],
        ],
      },
      {
        example: four,
        base: '€12.99',
        most: '4',
        shown: [
          ['2', '€7.15', '€5.84'],
          ['4', '€3.58', '€9.41'],
        ],
      },
    ]) {
      const slider = within(example).getByRole('slider', { name: 'Members' })
      expect(slider.getAttribute('aria-valuemin')).toBe('2')
      expect(slider.getAttribute('aria-valuemax')).toBe(most)
      expect(example.textContent).toContain(`Base price ${base} / month`)
      slider.focus()
      // One step beyond either end stays there.
      for (const [index, keys] of ['{Home}{ArrowLeft}', '{End}{ArrowRight}'].entries()) {
        await user.keyboard(keys)
        const [members, shared, saved] = shown[index] ?? []
        expect(slider.getAttribute('aria-valuenow')).toBe(members)
        expect(example.textContent).toContain(`Shared by ${members} members`)
        expect(example.textContent).toContain(
          `Before, alone${base} / monthAfter, shared${shared} / monthEach member saves ${saved} / month`,
        )
      }
    }
  })

  it('leads from nothing saved to the plans, and celebrates the first 50 euro once', async () => {
    const { olivia, zoe } = people
    const { user } = await open('zoe')
    expect(await part('Total saved')).toContain('€0.00')
    expect(wayOn(within(screen.getByRole('tabpanel')))).toBe('/available-subscriptions')
    expect(screen.queryByRole('region', { name: 'Before and after' })).toBeNull()
    expect(wayOn(await choose(user, 'Comparisons'))).toBe('/available-subscriptions')
    expect(wayOn(await choose(user, 'Milestones'))).toBe('/available-subscriptions')
    expect(milestones()[0]).toBe('First Steps€50.00 to goAt €50.00 saved')
    expect(screen.queryByText('Milestone reached')).toBeNull()

    const request = await ask(zoe, netflix)
    await olivia.client
      .rpc('approve_subscription_request', { p_request_id: request, p_subscription_id: netflix })
      .throwOnError()
    const popup = await screen.findByText('Milestone reached')
    expect(popup.closest('[role="status"]')?.textContent).toContain('First Steps€50.00')
    expect(milestones()[0]).toBe('First StepsReachedAt €50.00 saved')
    await waitFor(() => expect(screen.queryByText('Milestone reached')).toBeNull())
    await choose(user, 'Overview')
    expect(await part('Total saved')).toContain('€86.94')

    await open('zoe')
    expect(await part('Total saved')).toContain('€86.94')
    expect(screen.queryByText('Milestone reached')).toBeNull()
  })

  it('says when the plans cannot be loaded, and tries again', async () => {
    const refused = refuse(`GET ${MEMBERS}`, '42501')
    const { user } = await open('marc')
    await screen.findByText('Failed to load subscribed plans')
    expect(screen.queryByText('Total saved')).toBeNull()
    refused.heal()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await part('Total saved')).toContain('€139.62')
    await waitFor(() => expect(screen.queryByText('Failed to load subscribed plans')).toBeNull())
  })
})
