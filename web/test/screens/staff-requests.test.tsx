// Requests to staff, for access to the administration or for a new provider, and staff's decisions.
// Proves CREATE 03, PROVREQ 01-08, ADMIN 07 10 16-23, DATA 16, API 18 33 36 56, ERR 44 45 48-50 55 57 58,
// VALID 18-20 23 24
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import { failNetwork, hold, intercept, refuse } from '../network.ts'
import { region } from '../parts.ts'
import { addStaff, grant, newPerson } from '../people.ts'

const server = await testServer()
const sql = (text: string, ...values: string[]) => server.db.query(text, values)
let zoe: TestUser
beforeEach(async () => {
  await sql('delete from admin_role_requests')
  await sql('delete from provider_requests')
  zoe = await newPerson(server, 'zoe')
})
const open = (address: string, as = zoe) => openApp(server, address, { as })

const ASKING = 'POST /rest/v1/admin_role_requests'
const LISTING = 'GET /rest/v1/admin_role_requests'
const DECIDING = 'PATCH /rest/v1/admin_role_requests'
const REASON = 'I would like to help with payouts.'
const ask = (person: TestUser, name = 'Someone') =>
  person.client
    .from('admin_role_requests')
    .insert({ user_id: person.id, name, email: person.email, reason: REASON })
    .throwOnError()
const requestsOf = (person: TestUser) =>
  sql(
    `select name, email, reason, status, reviewed_at is not null as reviewed
     from admin_role_requests where user_id = $1 order by requested_at`,
    person.id,
  )
const field = (name: RegExp) => screen.getByLabelText(name, { selector: 'input, textarea' })
const form = () => screen.findByLabelText(/^Reason/, { selector: 'textarea' })
const submit = () => screen.getByText('Submit Request')
const problemOf = (name: RegExp) => document.getElementById(`${field(name).id}-error`)?.textContent
async function fill(user: UserEvent) {
  await form()
  await user.type(field(/^Name/), 'Zoe Day')
  await user.type(field(/^Reason/), REASON)
}

it('a role is asked for once at both addresses, with what was written kept until it was taken, and again after a no', async () => {
  const loading = refuse(LISTING, 'XX000', 'broken', 500)
  const { user, router, at } = await open('/admin')
  await screen.findByText('Could not load your last request')
  loading.heal()
  await user.click(screen.getByText('Retry'))
  await form()
  expect(at()).toBe('/admin-request')
  expect(screen.getByText('Request Admin Access', { selector: 'h1' })).toBeTruthy()
  expect(screen.getByText('The admin area is restricted to administrators.')).toBeTruthy()
  expect(screen.getByText('Home', { selector: 'main *' }).closest('a')?.getAttribute('href')).toBe('/')
  expect(screen.queryByText(/2-3 business days/)).toBeNull()
  expect(field(/^Email/)).toHaveProperty('value', zoe.email)
  const asking = failNetwork(ASKING)
  await user.clear(field(/^Email/))
  await user.click(submit())
  expect([/^Name/, /^Email/, /^Reason/].map(problemOf)).toEqual([
    'Name is required',
    'Valid email is required',
    'Please provide a detailed reason for your request',
  ])
  expect(document.activeElement).toBe(field(/^Name/))
  expect(asking.sent).toEqual([])
  await user.type(field(/^Email/), zoe.email)
  await fill(user)
  await user.click(submit())
  await toasted('error', 'Submission Failed', 'Failed to submit your request. Please try again.')
  asking.heal()
  expect(field(/^Reason/)).toHaveProperty('value', REASON)
  const { sent: asked } = intercept(ASKING)
  await userEvent.dblClick(submit())
  await toasted('success', 'Request Submitted', 'Your admin access request has been sent for review.')
  await screen.findByText(/You can expect a reply within 2-3 business days\.$/)
  expect(asked.length).toBe(1)
  expect(await requestsOf(zoe)).toEqual([
    { name: 'Zoe Day', email: zoe.email, reason: REASON, status: 'pending', reviewed: false },
  ])
  await router.navigate({ to: '/admin/requests' })
  await screen.findByText(/2-3 business days/)
  expect(screen.getByText('Request Admin Access', { selector: 'h1' })).toBeTruthy()

  await sql(`update admin_role_requests set status = 'rejected', reviewed_at = now()`)
  const again = await open('/admin/requests')
  expect((await screen.findByText(/^Your last request was/)).textContent).toBe(
    'Your last request was rejected just now. You can send another one.',
  )
  await fill(again.user)
  // The same request is sent from another page meanwhile.
  await ask(zoe)
  await again.user.click(submit())
  const waiting = 'You’ve already sent a request. We’ll be in touch.'
  await toasted('error', 'Submission Failed', waiting)
  await screen.findByText(/2-3 business days/)
})

it('the form for a role request sends nothing for anybody who is no longer signed in, and says so', async () => {
  const { user, at } = await open('/admin-request')
  await fill(user)
  const { sent: asked } = intercept(ASKING)
  await server.db.query('delete from auth.sessions where user_id = $1', [zoe.id])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_610_000 })
  // Clicks without waiting: any other use of the session would now end this page.
  fireEvent.click(submit())
  await toasted('error', 'Submission Failed', 'You must be logged in to request admin access')
  vi.useRealTimers()
  await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fadmin-request'))
  expect(asked).toEqual([])
})

const card = (name: string) => within(screen.getByLabelText(name, { selector: 'article' }))
const named = () => [...document.querySelectorAll('article h2')].map(({ textContent }) => textContent)
const answers = (name: string) =>
  [...screen.getByLabelText(name, { selector: 'article' }).querySelectorAll('button')].map(
    (button) => button.textContent,
  )
const press = (user: UserEvent, answer: string) => user.click(screen.getByLabelText(answer))

it('role requests are listed as they come, read by admins, and decided by super-admins but their own', async () => {
  const [olivia, ada] = [
    await addStaff(server, 'olivia', 'super-admin'),
    await addStaff(server, 'ada', 'admin'),
  ]
  const marc = await newPerson(server, 'marc')
  const failure = refuse(LISTING, 'XX000', 'broken', 500)
  const { user } = await open('/admin?tab=requests', olivia)
  await toasted('error', 'Error', 'Could not load admin requests')
  failure.heal()
  await user.click(screen.getByText('Retry'))
  await screen.findByText('No admin access requests found')
  await listening('role-requests')
  await ask(marc, 'Marc Hill')
  await ask(zoe, 'Zoe Day')
  await ask(olivia, 'Olivia Ray')
  await screen.findByText('Olivia Ray')
  expect(named()).toEqual(['Olivia Ray', 'Zoe Day', 'Marc Hill'])
  for (const text of [zoe.email, REASON, 'Pending']) expect(card('Zoe Day').getByText(text)).toBeTruthy()
  expect([answers('Zoe Day'), answers('Olivia Ray')]).toEqual([['Reject', 'Approve'], []])
  expect(card('Olivia Ray').getByText('Another super-admin decides on your own request.')).toBeTruthy()
  const away = failNetwork(DECIDING)
  await press(user, 'Approve Zoe Day')
  await toasted('error', 'Error', 'Failed to approve request')
  await press(user, 'Reject Zoe Day')
  await toasted('error', 'Error', 'Failed to reject request')
  away.heal()
  // The toast shows the database's own message if there is one.
  const late = refuse(DECIDING, '23514', 'This request has already been rejected')
  await press(user, 'Approve Zoe Day')
  await toasted('error', 'Error', 'This request has already been rejected')
  late.heal()
  const held = hold(DECIDING)
  await press(user, 'Approve Zoe Day')
  for (const button of screen.getAllByLabelText(/^(Approve|Reject) (Zoe|Marc)/))
    expect(button).toHaveProperty('disabled', true)
  held.letGo()
  await toasted('success', 'Request Approved', 'Zoe Day has been granted admin access.')
  await card('Zoe Day').findByText('Approved')
  expect(answers('Zoe Day')).toEqual([])
  await press(user, 'Reject Marc Hill')
  await toasted('info', 'Request Rejected', "Marc Hill's request has been rejected.")
  await card('Marc Hill').findByText('Rejected')
  expect(
    await sql(
      `select r.name, r.status, r.reviewed_at is not null as reviewed, u.role
       from admin_role_requests as r left join user_roles as u using (user_id) order by 1`,
    ),
  ).toEqual([
    { name: 'Marc Hill', status: 'rejected', reviewed: true, role: null },
    { name: 'Olivia Ray', status: 'pending', reviewed: false, role: 'super-admin' },
    { name: 'Zoe Day', status: 'approved', reviewed: true, role: 'admin' },
  ])

  await open('/admin?tab=requests', ada)
  await screen.findByText('Super-admins approve and reject requests.')
  await screen.findByText('Olivia Ray')
  expect(answers('Olivia Ray')).toEqual([])
})

const askFor = async (person: TestUser, provider_name: string) => {
  const [plan_name, price, billing_cycle, max_members] = ['Club', 12.5, 'yearly', 6]
  const plans_data = [{ plan_name, price, billing_cycle, max_members, features: ['Puzzles', '<b>1</b>'] }]
  const { data } = await person.client
    .from('provider_requests')
    .insert({
      user_id: person.id,
      provider_name,
      category: 'Education',
      plans_data,
      status: 'pending',
      website_url: 'https://chess.example/learn',
      description: 'Lessons and puzzles for everyone.',
    })
    .select('id')
    .single()
    .throwOnError()
  return String(data.id)
}
const storedOf = (person: TestUser) =>
  sql(
    `select provider_name, category, website_url, description, plans_data, status from provider_requests where user_id = $1`,
    person.id,
  )
const plan = (name: string) => within(screen.getByRole('group', { name }))
const CATEGORIES = [
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
]

it('a provider is asked for from the tile, with what is missing beside each field, and listed with what becomes of it', async () => {
  const { user, at, router } = await open('/create?category=music')
  const tile = (await screen.findByText('Request Provider')).closest('a') as HTMLElement
  expect(tile.style.borderStyle).toBe('dashed')
  expect(tile.closest('ul')?.lastElementChild?.contains(tile)).toBe(true)
  await user.click(tile)
  await screen.findByText('Request Provider', { selector: 'h1' })
  expect(at()).toBe('/request-provider?category=music')
  expect(screen.getByText('Review takes 3-5 business days.')).toBeTruthy()
  expect(screen.getByText('Providers').closest('a')?.getAttribute('href')).toBe('/create?category=music')
  expect(field(/Category/)).toHaveProperty('value', 'Music')

  // An admin may read other people's requests, but this page shows none of them.
  const ada = await addStaff(server, 'ada', 'admin')
  await askFor(ada, 'Someone else')
  await grant(server, zoe, 'admin')
  const failure = refuse('GET /rest/v1/provider_requests', 'XX000', 'broken', 500)
  await router.navigate({ to: '/my-provider-requests' })
  await screen.findByText('Failed to load your provider requests')
  failure.heal()
  await user.click(screen.getByText('Try Again'))
  await screen.findByText("You haven't requested any providers yet.")
  expect(screen.getByText('User Provider Requests', { selector: 'h1' })).toBeTruthy()
  expect(screen.getByText('Review takes 3-5 business days.')).toBeTruthy()
  expect(screen.queryByText(/placeholder/i)).toBeNull()
  await user.click(screen.getByText('Request Provider'))
  await waitFor(() => expect(at()).toBe('/request-provider'))
  await user.click(await screen.findByText('Submit Request'))
  for (const [name, problem] of [
    [/Provider name/, 'Provider name must be at least 2 characters'],
    [/Category/, 'Please select a category'],
    [/Website/, 'Please enter a valid URL'],
    [/Description/, 'Description must be at least 10 characters'],
    [/Plan name/, 'Plan name is required'],
    [/^Price/, 'Price must be positive'],
    [/Max members/, 'Max members must be at least 1'],
  ] as const)
    expect(problemOf(name)).toBe(problem)
  await user.click(field(/Category/))
  const offered = await screen.findByLabelText(/Category/, { selector: '[role=listbox]' })
  await waitFor(() =>
    expect([...offered.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)).toEqual(
      CATEGORIES,
    ),
  )
  await user.click(within(offered).getByText('Music'))
  for (const [name, text] of [
    [/Provider name/, 'Mubi'],
    [/Website/, 'https://mubi.com'],
    [/Description/, 'Hand-picked films.'],
  ] as const) {
    await user.click(field(name))
    await user.paste(text)
  }
  expect(screen.queryByLabelText(/^Remove plan/)).toBeNull()
  await user.type(plan('Plan 1').getByLabelText(/Plan name/), 'Too much')
  await user.click(screen.getByText('Add another plan'))
  const second = plan('Plan 2')
  await user.type(second.getByLabelText(/Plan name/), 'Family')
  await user.type(second.getByLabelText(/^Price/), '9.99')
  await user.type(second.getByLabelText(/Max members/), '4')
  await user.click(second.getByLabelText('Yearly'))
  await user.type(second.getByLabelText(/Features/), '4K video{enter}4 screens')
  await user.click(screen.getByLabelText('Remove plan 1'))
  expect(screen.queryByRole('group', { name: 'Plan 2' })).toBeNull()
  expect(screen.queryByLabelText(/^Remove plan/)).toBeNull()
  expect(field(/Plan name/)).toHaveProperty('value', 'Family')
  const failing = refuse(
    'POST /rest/v1/provider_requests',
    'PT429',
    'Rate limit exceeded. Please wait 9 seconds.',
  )
  await user.click(submit())
  await toasted(
    'error',
    'Failed to submit provider request. Please try again.',
    'Rate limit exceeded. Please wait 9 seconds.',
  )
  failing.heal()
  expect(field(/Provider name/)).toHaveProperty('value', 'Mubi')
  await user.click(submit())
  await screen.findByText('Provider request submitted successfully!')
  await waitFor(() => expect(at()).toBe('/my-provider-requests'))
  const mubi = await screen.findByLabelText('Mubi', { selector: 'article' })
  expect(mubi.textContent).toMatch(
    /Music.*Pending.*Hand-picked films\..*Family.*€9\.99 per year.*4 people.*4K video · 4 screens/,
  )
  expect(mubi.querySelector('a')?.getAttribute('href')).toBe('https://mubi.com')
  const made = { plan_name: 'Family', price: 9.99, billing_cycle: 'yearly', max_members: 4 }
  expect(await storedOf(zoe)).toMatchObject([
    {
      provider_name: 'Mubi',
      category: 'Music',
      website_url: 'https://mubi.com',
      description: 'Hand-picked films.',
      plans_data: [{ ...made, features: ['4K video', '4 screens'] }],
      status: 'pending',
    },
  ])
  await ada.client
    .from('provider_requests')
    .update({ status: 'approved' })
    .eq('user_id', zoe.id)
    .throwOnError()
  await within(mubi).findByText('Approved')
  expect(within(mubi).getByText('Share a plan').closest('a')?.getAttribute('href')).toBe(
    '/create?category=all',
  )
  await askFor(zoe, 'شاهد <script>alert(1)</script>')
  await waitFor(() => expect(named()).toEqual(['شاهد <script>alert(1)</script>', 'Mubi']))
  expect(document.querySelector('article script, article b')).toBeNull()
})

it('provider requests that wait are counted on the bell, at most 99+, and decided there, but not one’s own', async () => {
  const ada = await addStaff(server, 'ada', 'admin')
  const NONE = 'Pending provider requests'
  const bell = () => screen.findByLabelText(/^Pending provider requests/, { selector: 'button' })
  const waits = async (label: string) =>
    waitFor(async () => expect((await bell()).getAttribute('aria-label')).toBe(label))
  const COUNT = 'POST /rpc/get_pending_provider_requests_count'
  const uncounted = refuse(COUNT, 'XX000', 'broken', 500)
  const { user } = await open('/admin', ada)
  await screen.findByText('Active Subscriptions')
  await waitFor(() => expect(uncounted.sent.length).toBeGreaterThan(0))
  await waits(NONE)
  expect(document.querySelector('[role=alert], .mantine-Notification-root')).toBeNull()
  expect(screen.queryByText(/waiting|could not|failed|error/i)).toBeNull()
  uncounted.heal()

  await listening('pending-provider-requests')
  const many = intercept(COUNT, () => Promise.resolve(Response.json(100)))
  await askFor(zoe, 'Tunes')
  await toasted('info', 'New Provider Request', 'A request was submitted for Tunes.')
  await waits(`${NONE}, 100 waiting`)
  expect(screen.getAllByText('99+')).toHaveLength(1)
  many.heal()
  // The banner among the cases that wait is orange, and leads to the requests.
  const banner = await screen.findByRole('link', { name: /^Provider requests/ })
  expect(banner.getAttribute('data-orange')).toBe('true')
  expect(banner.getAttribute('href')).toBe('/admin?tab=providers')
  await askFor(zoe, 'Beats')
  await askFor(ada, 'Own')
  await waits(`${NONE}, 3 waiting`)
  await user.click(await bell())
  const row = async (name: string) => within(await screen.findByLabelText(name, { selector: 'article' }))
  expect((await row('Own')).getByText('Someone else decides on your own request.')).toBeTruthy()
  expect((await row('Own')).queryByRole('button')).toBeNull()
  const late = refuse('PATCH /provider_requests?', '23514', 'This request has already been approved')
  await user.click((await row('Tunes')).getByText('Approve'))
  await screen.findByText('This request has already been approved')
  late.heal()
  for (const [name, answer, told] of [
    ['Tunes', 'Approve', 'The request for Tunes has been approved.'],
    ['Beats', 'Reject', 'The request for Beats has been rejected.'],
  ] as const) {
    await user.click((await row(name)).getByText(answer))
    await screen.findByText(told)
    await waitFor(() => expect(screen.queryByLabelText(name, { selector: 'article' })).toBeNull())
  }
  expect(await sql('select provider_name, status from provider_requests order by 1')).toEqual([
    { provider_name: 'Beats', status: 'rejected' },
    { provider_name: 'Own', status: 'pending' },
    { provider_name: 'Tunes', status: 'approved' },
  ])
  await waitFor(() => expect(banner.textContent).toMatch(/1$/))
  await user.click(banner)
  const pending = await region('Pending provider requests')
  expect(pending.getByLabelText('Own', { selector: 'article' })).toBeTruthy()
})
