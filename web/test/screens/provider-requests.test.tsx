import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { refuse } from '../network.ts'
import { newPeople, type People } from '../sharing.ts'

const server = await testServer()
let people: People

beforeEach(async () => {
  people = await newPeople(server)
})

const open = (address: string, who: keyof People = 'zoe') => openApp(server, address, { as: people[who] })
const plan = (name: string) => within(screen.getByRole('group', { name }))
const askFor = async (person: TestUser, provider_name: string) => {
  const asked = person.client.from('provider_requests').insert({
    user_id: person.id,
    provider_name,
    category: 'Education',
    website_url: 'https://chess.example/learn',
    description: 'Lessons and puzzles for everybody.',
    plans_data: [
      {
        plan_name: 'Club',
        price: 12.5,
        billing_cycle: 'yearly',
        max_members: 6,
        features: ['Puzzles', '<b>1</b>'],
      },
    ],
    status: 'pending',
  })
  const { data } = await asked.select('id').single().throwOnError()
  return String(data.id)
}
const storedOf = async (person: TestUser) =>
  (await person.client.from('provider_requests').select('*').eq('user_id', person.id).throwOnError()).data ??
  []
const cards = () => screen.getAllByRole('article').map((card) => card.querySelector('h2')?.textContent)

/** Fills everything but the plans. */
async function describeProvider(user: UserEvent, name: string) {
  await user.click(await screen.findByRole('textbox', { name: /Provider name/ }))
  await user.paste(name)
  await user.click(screen.getByRole('textbox', { name: /Website/ }))
  await user.paste('https://mubi.com')
  await user.click(screen.getByRole('textbox', { name: /Description/ }))
  await user.paste('Hand-picked films.')
}

describe('the request form', () => {
  it('asks for a provider from the tile and stores it as pending', async () => {
    const { user, at, router } = await open('/create?category=music')
    const tile = await screen.findByRole('link', { name: /^Request Provider/ })
    expect(tile.style.borderStyle).toBe('dashed')
    expect(tile.closest('ul')?.lastElementChild?.contains(tile)).toBe(true)
    await user.click(tile)
    await screen.findByRole('heading', { level: 1, name: 'Request Provider' })
    expect(at()).toBe('/request-provider?category=music')
    expect(screen.getByText('Review takes 3-5 business days.')).toBeTruthy()
    expect(screen.getByRole('combobox', { name: /Category/ })).toHaveProperty('value', 'Music')
    await describeProvider(user, 'Mubi')

    expect(plan('Plan 1').queryByRole('button', { name: /Remove/ })).toBeNull()
    await user.type(plan('Plan 1').getByLabelText(/Plan name/), 'Too much')
    await user.click(screen.getByRole('button', { name: 'Add another plan' }))
    await user.type(plan('Plan 2').getByLabelText(/Plan name/), 'Family')
    await user.type(plan('Plan 2').getByLabelText(/^Price/), '9.99')
    await user.type(plan('Plan 2').getByLabelText(/Max members/), '4')
    await user.click(plan('Plan 2').getByRole('radio', { name: 'Yearly' }))
    await user.type(plan('Plan 2').getByLabelText(/Features/), '4K video{enter}4 screens')
    await user.click(plan('Plan 1').getByRole('button', { name: 'Remove plan 1' }))
    expect(screen.queryByRole('group', { name: 'Plan 2' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
    expect(plan('Plan 1').getByLabelText(/Plan name/)).toHaveProperty('value', 'Family')
    await user.click(screen.getByRole('button', { name: 'Submit Request' }))

    expect(await screen.findByText('Provider request submitted successfully!')).toBeTruthy()
    await waitFor(() => expect(router.state.location.pathname).toBe('/my-provider-requests'))
    expect(await screen.findByRole('article', { name: 'Mubi' })).toBeTruthy()
    expect(await storedOf(people.zoe)).toMatchObject([
      {
        user_id: people.zoe.id,
        provider_name: 'Mubi',
        category: 'Music',
        website_url: 'https://mubi.com',
        description: 'Hand-picked films.',
        plans_data: [
          {
            plan_name: 'Family',
            price: 9.99,
            billing_cycle: 'yearly',
            max_members: 4,
            features: ['4K video', '4 screens'],
          },
        ],
        status: 'pending',
      },
    ])
  })

  it('says beside each field what is missing, then what went wrong, and keeps what was typed', async () => {
    const { user } = await open('/request-provider')
    await user.click(await screen.findByLabelText(/Category/, { selector: 'input' }))
    const offered = await screen.findByRole('listbox', { name: /Category/, hidden: false })
    expect([...offered.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)).toEqual([
      'Streaming',
      'Music',
      'Gaming',
      'Productivity',
      'Security',
      'Cloud Storage',
      'Design',
      'Education',
      'Fitness',
      'News',
    ])
    await user.keyboard('{Escape}')
    const press = () => user.click(screen.getByText('Submit Request'))
    await press()
    for (const [field, problem] of [
      [/Provider name/, 'Provider name must be at least 2 characters'],
      [/Category/, 'Please select a category'],
      [/Website/, 'Please enter a valid URL'],
      [/Description/, 'Description must be at least 10 characters'],
      [/Plan name/, 'Plan name is required'],
      [/^Price/, 'Price must be positive'],
      [/Max members/, 'Max members must be at least 1'],
    ] as const) {
      const input = screen.getByLabelText(field, { selector: 'input, textarea' })
      expect(document.getElementById(`${input.id}-error`)?.textContent).toBe(problem)
    }
    await user.click(screen.getByLabelText(/Category/, { selector: 'input' }))
    await user.click(within(offered).getByText('Music'))
    await describeProvider(user, 'Mubi')
    await user.type(plan('Plan 1').getByLabelText(/Plan name/), 'Family')
    await user.type(plan('Plan 1').getByLabelText(/^Price/), '9.99')
    await user.type(plan('Plan 1').getByLabelText(/Max members/), '4')
    for (const name of ['A1', 'A2', 'A3', 'A4', 'A5']) await askFor(people.zoe, name)
    await press()
    await screen.findByText('Failed to submit provider request. Please try again.')
    await screen.findByText(/^Rate limit exceeded\. Please wait \d+ seconds\.$/)
    expect(screen.getByLabelText(/Provider name/)).toHaveProperty('value', 'Mubi')
    expect(await storedOf(people.zoe)).toHaveLength(5)
  })

  it('leads back to the providers of the category', async () => {
    const { user, at } = await open('/request-provider?category=other')
    await user.click(await screen.findByRole('link', { name: 'Providers' }))
    await screen.findByRole('heading', { level: 2, name: 'Choose a provider' })
    expect(at()).toBe('/create?category=other')
  })
})

describe('the list of requests', () => {
  it('says that it cannot be loaded, or is empty, under its title, with the way to the form', async () => {
    const failure = refuse('GET /rest/v1/provider_requests', 'XX000', 'broken', 500)
    const { user } = await open('/my-provider-requests')
    await screen.findByText('Failed to load your provider requests')
    failure.heal()
    await user.click(screen.getByText('Try Again'))
    await screen.findByText("You haven't requested any providers yet.")
    expect(document.querySelector('h1')?.textContent).toBe('User Provider Requests')
    expect(screen.getByText('Review takes 3-5 business days.')).toBeTruthy()
    expect(screen.queryByText(/placeholder/i)).toBeNull()
    const way = screen.getByRole('link', { name: 'Request Provider' })
    expect(way.getAttribute('href')).toBe('/request-provider')
  })

  it('lists my own requests alone, newest first, and follows the decisions live', async () => {
    const { olivia, zoe } = people
    // An admin may read those of others, but not here.
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'admin'), ($2, 'admin')`, [
      olivia.id,
      zoe.id,
    ])
    const first = await askFor(zoe, 'Chess Club')
    const second = await askFor(zoe, 'شاهد <script>alert(1)</script>')
    await askFor(olivia, 'Somebody else')
    await open('/my-provider-requests')
    await screen.findByRole('article', { name: 'Chess Club' })
    expect(cards()).toEqual(['شاهد <script>alert(1)</script>', 'Chess Club'])
    const chess = screen.getByRole('article', { name: 'Chess Club' })
    expect(chess.textContent).toMatch(
      /Education.*Pending.*Lessons and puzzles.*Club.*€12\.50 per year.*6 people/,
    )
    expect(chess.textContent).toContain('Puzzles · <b>1</b>')
    expect(within(chess).getByRole('link').getAttribute('href')).toBe('https://chess.example/learn')
    expect(document.querySelector('article script, article b')).toBeNull()

    const decide = (id: string, status: string) =>
      olivia.client.from('provider_requests').update({ status }).eq('id', id).throwOnError()
    await decide(first, 'approved')
    await waitFor(() => expect(within(chess).getByText('Approved')).toBeTruthy())
    await decide(second, 'rejected')
    expect(await screen.findByText('Rejected')).toBeTruthy()
    expect(screen.queryByText('Pending')).toBeNull()
    await askFor(zoe, 'Third')
    await screen.findByRole('article', { name: 'Third' })
    expect(cards()).toEqual(['Third', 'شاهد <script>alert(1)</script>', 'Chess Club'])
  })
})
