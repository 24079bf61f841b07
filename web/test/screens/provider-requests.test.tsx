import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { newPeople, type People, password } from '../sharing.ts'

const server = await testServer()
let people: People

beforeEach(async () => {
  people = await newPeople(server)
})

const open = async (address: string, who: keyof People = 'zoe') => ({
  ...(await openApp(server, address, { as: { email: people[who].email, password } })),
})
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
async function describeProvider(user: ReturnType<typeof userEvent.setup>, name: string) {
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

  it('says beside each field what is missing, and stores nothing', async () => {
    const { user } = await open('/request-provider')
    const category = await screen.findByRole('combobox', { name: /Category/ })
    await user.click(category)
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
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
    await user.type(plan('Plan 1').getByLabelText(/^Price/), '-1')
    await user.type(plan('Plan 1').getByLabelText(/Max members/), '0')
    await user.click(screen.getByRole('button', { name: 'Submit Request' }))
    for (const [field, problem] of [
      [/Provider name/, 'Provider name must be at least 2 characters'],
      [/Category/, 'Please select a category'],
      [/Website/, 'Please enter a valid URL'],
      [/Description/, 'Description must be at least 10 characters'],
      [/Plan name/, 'Plan name is required'],
      [/^Price/, 'Price must be positive'],
      [/Max members/, 'Max members must be at least 1'],
    ] as const) {
      const [input] = screen.getAllByLabelText(field, { selector: 'input, textarea' })
      expect([problem, input?.getAttribute('aria-invalid')]).toEqual([problem, 'true'])
      expect(screen.getByText(problem)).toBeTruthy()
    }
    expect(await storedOf(people.zoe)).toEqual([])
  })

  it('says what went wrong and keeps what was typed', async () => {
    const { user } = await open('/request-provider?category=music')
    await describeProvider(user, 'Mubi')
    await user.type(plan('Plan 1').getByLabelText(/Plan name/), 'Family')
    await user.type(plan('Plan 1').getByLabelText(/^Price/), '9.99')
    await user.type(plan('Plan 1').getByLabelText(/Max members/), '4')
    const submit = () => user.click(screen.getByRole('button', { name: 'Submit Request' }))
    const { db } = server
    await db.query('alter table provider_requests add constraint not_now check (false) not valid')
    try {
      await submit()
      expect(
        await screen.findByText('Invalid data format. Please check your inputs and try again.'),
      ).toBeTruthy()
    } finally {
      await db.query('alter table provider_requests drop constraint not_now')
    }
    for (const name of ['A1', 'A2', 'A3', 'A4', 'A5']) await askFor(people.zoe, name)
    await submit()
    expect(await screen.findByText('Failed to submit provider request. Please try again.')).toBeTruthy()
    expect(await screen.findByText(/^Rate limit exceeded\. Please wait \d+ seconds\.$/)).toBeTruthy()
    expect(screen.getByRole('textbox', { name: /Provider name/ })).toHaveProperty('value', 'Mubi')
    expect(await storedOf(people.zoe)).toHaveLength(5)
  })

  it('leads back to the providers of the category', async () => {
    const { user, at } = await open('/request-provider?category=other')
    await user.click(await screen.findByRole('link', { name: 'Providers' }))
    await screen.findByRole('heading', { level: 2, name: 'Choose a provider' })
    expect(at()).toBe('/create?category=other')
    expect(screen.getByRole('link', { name: /^Request Provider/ })).toBeTruthy()
  })
})

describe('the list of requests', () => {
  it('is empty at first, under its title, with the way to the form', async () => {
    const { user, at } = await open('/')
    await user.click(await screen.findByRole('button', { name: 'Your menu' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Provider Requests' }))
    await screen.findByRole('heading', { level: 1, name: 'User Provider Requests' })
    expect(at()).toBe('/my-provider-requests')
    expect(await screen.findByText("You haven't requested any providers yet.")).toBeTruthy()
    expect(screen.getByText('Review takes 3-5 business days.')).toBeTruthy()
    expect(screen.queryByText(/placeholder/i)).toBeNull()
    expect(screen.getByRole('link', { name: 'Request Provider' }).getAttribute('href')).toBe(
      '/request-provider',
    )
  })

  it('lists my own requests, newest first, and follows the decisions live', async () => {
    const [{ olivia, zoe }] = [people]
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [olivia.id])
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

  it('shows an admin their own requests only', async () => {
    const { olivia, zoe } = people
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [olivia.id])
    await askFor(zoe, 'Chess Club')
    await askFor(olivia, 'My own')
    await open('/my-provider-requests', 'olivia')
    await screen.findByRole('article', { name: 'My own' })
    expect(cards()).toEqual(['My own'])
  })

  it('says that they cannot be loaded, and loads them again', async () => {
    await askFor(people.zoe, 'Chess Club')
    const { db } = server
    await db.query('revoke select on public.provider_requests from authenticated')
    try {
      const { user } = await open('/my-provider-requests')
      expect(await screen.findByText('Failed to load your provider requests')).toBeTruthy()
      await db.query('grant select on public.provider_requests to authenticated')
      await user.click(screen.getByRole('button', { name: 'Try Again' }))
      expect(await screen.findByRole('article', { name: 'Chess Club' })).toBeTruthy()
    } finally {
      await db.query('grant select on public.provider_requests to authenticated')
    }
  })

  it('sends a visitor to sign-in with the way back', async () => {
    const { router } = await openApp(server, '/my-provider-requests')
    await waitFor(() => expect(router.state.location.pathname).toBe('/signin'))
    expect(router.state.location.search).toMatchObject({ redirect: '/my-provider-requests' })
  })
})
