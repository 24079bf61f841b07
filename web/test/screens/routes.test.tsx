// The page that each person gets at each path, and the links to it: bars, menus, footer and the way back.
// Proves AUTH 32, NAV 01-04 07-11 13 14 16-18, ROLE 09, PLAN 01-03, MEMB 08, MYSUB 02, ADMIN 01 02 04 21, PAY 19
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { config, setConfig } from '#lib/config.ts'
import { answer } from '../acting.ts'
import { openApp } from '../app.tsx'
import { addStaff, grant, newPerson } from '../people.ts'
import { ask, join, newPeople, payThroughSite, sharePlan } from '../sharing.ts'
import { borrowTill } from '../till.ts'

const server = await testServer()
const till = await borrowTill(server)
const people = await newPeople(server)
const { olivia, marc, zoe } = people
const planId = await sharePlan(olivia)
await join(olivia, marc, planId)
// A second super-admin, so that Zoe can lose the role.
await addStaff(server, 'sofia', 'super-admin')

const SIGN_IN = 'sign-in'
/** The heading of the page at a path, or `> ` and the path of the redirect. */
type Outcome = string
interface Row {
  visitor: Outcome
  'signed-in': Outcome
  owner?: Outcome
  member?: Outcome
  moderator?: Outcome
  admin?: Outcome
  'super-admin'?: Outcome
}

const everybody = (outcome: Outcome): Row => ({ visitor: outcome, 'signed-in': outcome })
const signedIn = (outcome: Outcome): Row => ({ visitor: SIGN_IN, 'signed-in': outcome })
const ofThePlan: Row = {
  visitor: 'You need to be logged in to view this page',
  'signed-in': 'Netflix Premium',
  owner: 'Manage Your Shared Plan',
  member: 'Your Subscribed Plan',
}
/**
 * Staff get the heading, moderators perhaps another one, and everybody else is redirected to the request for access
 * (R2).
 */
const staff = (heading: Outcome, moderator = heading): Row => ({
  ...signedIn('> /admin-request'),
  ...{ moderator, admin: heading, 'super-admin': heading },
})
const REFUSED = 'Your role does not include this page'
const NOT_FOUND = everybody('Oops! Page not found')

const MATRIX: Record<string, Row> = {
  '/': { ...everybody('Home'), visitor: 'Share subscriptions, split the cost, save together.' },
  '/home': everybody('> /'),
  '/user-home': everybody('> /'),
  '/about': everybody('How It Works'),
  '/imprint': everybody('Imprint'),
  '/place': everybody('Your place in a shared plan'),
  '/privacy': everybody('Privacy'),
  '/terms': everybody('Terms'),
  '/signin': { visitor: 'Welcome Back', 'signed-in': '> /' },
  '/sign-in': { visitor: 'Welcome Back', 'signed-in': '> /' },
  '/signin?redirect=%2Fcreate': { visitor: 'Welcome Back', 'signed-in': '> /create' },
  '/signin?redirect=%2F%2Fevil.example': { visitor: 'Welcome Back', 'signed-in': '> /' },
  '/signup': { visitor: 'Create Your Account', 'signed-in': '> /' },
  '/sign-up': { visitor: 'Create Your Account', 'signed-in': '> /' },
  '/reset-password': { visitor: 'Reset your password', 'signed-in': 'Set a new password' },
  '/auth-redirect': { visitor: '> /sign-in', 'signed-in': '> /' },
  '/dashboard': signedIn('> /my-subscriptions'),
  '/my-subscriptions': signedIn('My Subscriptions'),
  '/my-subscriptions?tab=requests': signedIn('My Subscriptions'),
  '/available-subscriptions': signedIn('> /plans'),
  '/create': signedIn('Create New Plan'),
  '/cards': signedIn('Cards'),
  '/pay/00000000-0000-4000-8000-000000000000': signedIn('Payment'),
  '/simulated-confirmation?id=x': signedIn('Confirm with your bank'),
  '/manage-shared': { ...signedIn('> /my-subscriptions?tab=shared'), owner: '> /manage-shared/{id}' },
  '/manage-subscribed': {
    ...signedIn('> /my-subscriptions?tab=subscribed'),
    member: '> /manage-subscribed/{id}',
  },
  '/manage-shared/{id}': ofThePlan,
  '/manage-subscribed/{id}': ofThePlan,
  '/subscription/{id}': ofThePlan,
  '/people/00000000-0000-4000-8000-000000000000': everybody('No one here'),
  '/people/nobody': everybody('No one here'),
  '/simple-subscription/{id}': everybody('> /subscription/{id}'),
  '/plans': everybody('Browse Plans'),
  '/plans/{id}': everybody('Netflix Premium'),
  '/plans/no-such': everybody('We can’t find this plan'),
  '/my-provider-requests': signedIn('User Provider Requests'),
  '/admin': staff('Admin Dashboard'),
  '/admin/subscriptions': staff('Subscription Plans'),
  '/admin/users': staff('User Management'),
  '/admin/people/nobody': staff('No one here'),
  '/admin/roles': staff('System Roles', REFUSED),
  '/admin/set-up': { ...staff('Set up this site', REFUSED), admin: REFUSED },
  '/admin/withdrawals': staff('Withdrawals', REFUSED),
  '/admin/financials': staff('Financials', REFUSED),
  '/admin-request': signedIn('Request Admin Access'),
  '/admin/requests': { ...signedIn('Request Admin Access'), 'super-admin': 'Admin Access Requests' },
  '/account-settings': signedIn('Profile'),
  '/account-settings/standing': signedIn('Standing and reviews'),
  '/account-settings/money': signedIn('Money'),
  '/account-settings/notifications': signedIn('Notifications'),
  '/account-settings/security': signedIn('Security'),
  '/account-settings/privacy': signedIn('Privacy and data'),
  '/account-settings/programs': signedIn('Programs'),
  '/settings': signedIn('Profile'),
  '/my-savings': signedIn('My Savings'),
  '/savings': signedIn('My Savings'),
  '/savings-insights': signedIn('Savings Insights'),
  '/payments': signedIn('My Payments'),
  '/payments/no-such': signedIn('Receipt not found'),
  '/manage-shared/no-such/payments': signedIn('Payments'),
  '/manage-subscribed/no-such/proof': signedIn('You have no place here'),
  '/no/such/page': NOT_FOUND,
  '/subscriptions': NOT_FOUND,
  '/administrator': NOT_FOUND,
}

const heading = () => document.querySelector('h1')?.textContent ?? ''
const plain = (path: string) => path.replace(/(.)\/$/, '$1')
function outcome(href: string, address: string): Outcome {
  if (href === `/signin?redirect=${encodeURIComponent(address)}`) return SIGN_IN
  return href === address ? heading() : `> ${href.replace(planId, '{id}')}`
}

it.each([
  ['visitor', undefined],
  ['signed-in', zoe],
  ['owner', olivia],
  ['member', marc],
  ['moderator', zoe],
  ['admin', zoe],
  // Staff may open everything, except that a plan in which they have no place shows only its offer.
  ['super-admin', zoe],
] as const)('every address shows the %s what the matrix says', async (audience, as) => {
  if (['moderator', 'admin', 'super-admin'].includes(audience)) {
    await grant(server, zoe, audience)
    onTestFinished(async () => {
      await server.db.query('delete from user_roles where user_id = $1', [zoe.id])
    })
  }
  const { router, at } = await openApp(server, '/about', as && { as })
  // The paths at which this audience gets something of its own; the test fails at the first wrong one. The next test
  // checks which paths send visitors to sign in.
  const own = Object.entries(MATRIX)
    .map(([row, one]) => ({ row, wanted: one[audience] ?? one['signed-in'], isOwn: audience in one }))
    .filter(({ row, wanted, isOwn }) => (isOwn || row.includes('{id}')) && wanted !== SIGN_IN)
  for (const { row, wanted } of own) {
    const address = row.replace('{id}', planId)
    // Starts from another page, so that the expected heading is not left over from the previous path.
    if (heading() === wanted || wanted === `> ${at()}`) await act(() => router.navigate({ href: '/no/page' }))
    window.sessionStorage.clear()
    await act(() => router.navigate({ href: address }))
    await waitFor(() => expect(`${row}: ${outcome(at(), address)}`).toBe(`${row}: ${wanted}`))
  }
})

// The paths that visitors may open. The path of a new screen requires sign-in unless it is added here.
const OPEN = new Set([
  ...[
    '/',
    '/about',
    '/accessibility',
    '/books',
    '/report',
    '/developers',
    '/help',
    '/imprint',
    '/plans',
    '/plans/$planId',
    '/privacy',
    '/terms',
  ],
  ...['/signin', '/sign-in', '/signup', '/sign-up', '/reset-password', '/auth-redirect'],
  // A person whom a visitor may not see does not exist for that visitor.
  '/people/$personId',
  // Redirect to /.
  ...['/home', '/user-home'],
  // A token from a mail identifies the person.
  ...[
    '/answer/$token',
    '/decision/$token',
    '/invitation/$token',
    '/place',
    '/unsubscribe/$token',
    '/undo-change',
  ],
  // Makes a new site's first administrator.
  '/first-admin',
  // Redirects to the plan whose short code it contains.
  '/p/$code',
  // Shows only that the plan's id is missing.
  '/subscription',
])
const PLAN = /^\/((simple-)?subscription|manage-(shared|subscribed))\//
const NOTICE = 'Sign in or sign up. We’ll bring you right back here.'
/** The reasons that sign-in gives visitors of these paths. */
const REASONS: Record<string, string> = {
  '/create': 'Please sign in to create a subscription.',
  '/my-subscriptions': 'Please sign in to view your subscriptions.',
}

it('a visitor is sent to sign-in from every address that is not open, or reads why on the page of a plan', async () => {
  const { router, at } = await openApp(server, '/about')
  await screen.findByText('How It Works', { selector: 'h1' })
  const paths = Object.keys(router.routesByPath).map(plain)
  const closed = paths.filter((path) => !OPEN.has(path))
  expect(closed.length).toBeGreaterThan(10)
  const seen: Record<string, string> = {}
  for (const path of closed) {
    const address = path.replace(/\$\w+/g, 'sub-0')
    await act(() => router.navigate({ href: '/about' }))
    await act(() => router.navigate({ href: address }))
    seen[path] = await waitFor(() => {
      if (at().startsWith('/signin?redirect=')) return SIGN_IN
      if (screen.queryByText(NOTICE)) return 'notice'
      throw new Error(`${address} shows a visitor ${at()}: ${document.querySelector('main')?.textContent}`)
    })
    if (seen[path] === SIGN_IN) expect(decodeURIComponent(at())).toContain(address)
    if (REASONS[path]) await screen.findByText(REASONS[path])
  }
  const noticed = Object.keys(seen).filter((path) => seen[path] === 'notice')
  expect(noticed.filter((path) => !PLAN.test(path))).toEqual([])
  expect(noticed).toContain('/subscription/$planId')
  for (const path of OPEN) {
    if (path in MATRIX || path.includes('$')) continue
    await act(() => router.navigate({ href: path }))
    await waitFor(() => expect([plain(at()), heading() !== '']).toEqual([path, true]))
  }
})

const bar = (name: string) => screen.findByLabelText(name, { selector: 'nav' })
const ways = (place: Element) =>
  [...place.querySelectorAll('a')].map((link) => `${link.textContent} ${link.getAttribute('href')}`)

it('a visitor is led on by the bars and the footer, to pages of the operator too, and reads what is said there', async () => {
  const { at, router, user } = await openApp(server, '/about')
  const top = await bar('Main')
  expect(ways(top)).toEqual(['Home /', 'Plans /plans', 'About /about', 'Sign In /signin', 'Sign Up /signup'])
  expect(ways(await bar('Bottom'))).toEqual(['Home /', 'Sign In /signin', 'Sign Up /signup', 'About /about'])
  const footer = await bar('Footer')
  expect(ways(footer)).toEqual([
    'Dashboard /home',
    'Browse Plans /plans',
    'How It Works /about',
    'Help /help',
    'Open Books /books',
    'Report something /report',
    'Privacy /privacy',
    'Terms /terms',
    'Accessibility /accessibility',
    'Imprint /imprint',
  ])
  const social = () =>
    [...screen.getByLabelText('Social media').querySelectorAll('a')].map(
      (link) => `${link.getAttribute('aria-label')} ${link.getAttribute('href')}`,
    )
  expect(social()).toEqual([
    'Facebook https://www.facebook.com/',
    'Twitter https://x.com/',
    'Instagram https://www.instagram.com/',
    'LinkedIn https://www.linkedin.com/',
    'YouTube https://www.youtube.com/',
  ])
  await server.db.query(`update operator set name = 'Ann', email = 'ann@potluck.example'`)
  await user.click(within(footer).getByText('Dashboard'))
  await waitFor(() => expect(at()).toBe('/'))
  setConfig({
    ...config(),
    socialLinks: ['https://www.youtube.com/@our-table'],
  })
  await router.navigate({ href: '/no/such/page' })
  await screen.findByText('Oops! Page not found')
  expect(screen.getByText('Return to Home').closest('a')?.getAttribute('href')).toBe('/')
  expect(social().at(-1)).toBe('YouTube https://www.youtube.com/@our-table')
  for (const address of ['/signin', '/signup', '/sign-in', '/sign-up', '/reset-password']) {
    await router.navigate({ href: address })
    await waitFor(() => expect(screen.queryByLabelText('Bottom')).toBeNull())
    await router.navigate({ href: '/terms' })
    await bar('Bottom')
  }
  for (const [address, operator, ...parts] of [
    [
      '/privacy',
      'run by Potluck Test',
      'Who is responsible',
      'What is kept, why and how long',
      'Who sees it',
      'What Stripe gets',
      'What the tax office gets',
      'In your browser',
      'Your rights',
    ],
    [
      ...[
        '/terms',
        'This copy of Potluck is run by Potluck Test',
        '1. What Potluck does',
        '2. Only what may be shared',
        '3. What is not allowed',
      ],
      ...[
        '4. Prices and fee',
        '5. Coins',
        '6. Leaving',
        '7. Withdrawing from the contract',
        '8. No guarantee',
      ],
      '9. How we decide about content and people',
    ],
    // Only what the operator has set.
    ['/imprint', 'Ann', 'Name', 'Email', 'Contact'],
  ] as const) {
    await router.navigate({ href: address })
    await waitFor(() =>
      expect([...document.querySelectorAll('article h2')].map(({ textContent }) => textContent)).toEqual(
        parts,
      ),
    )
    expect(document.querySelector('article')?.textContent).toContain(operator)
  }
  // "Back" goes back in history if possible, otherwise from a page below /admin to /admin, otherwise home.
  const back = async () => user.click(await screen.findByLabelText('Back'))
  await router.navigate({ href: '/about' })
  await router.navigate({ href: '/privacy' })
  await back()
  await waitFor(() => expect(at()).toBe('/about'))
  await router.navigate({ href: '/admin/users/of/old' })
  // The first path that "Back" opens; the guard of the administration may redirect from there.
  const wanted: string[] = []
  router.subscribe('onBeforeNavigate', ({ toLocation }) => wanted.push(toLocation.pathname))
  await back()
  await waitFor(() => expect(wanted[0]).toBe('/admin'))
  const first = await openApp(server, '/terms')
  await first.user.click(await screen.findByLabelText('Back'))
  await waitFor(() => expect(first.at()).toBe('/'))
})

it('somebody signed in is led to everything of their own by the bars, their menu and the account at the bottom', async () => {
  const { at, user, router } = await openApp(server, '/about', { as: marc })
  const bell = await screen.findByLabelText('Join requests')
  expect(bell.parentElement?.textContent).toBe('')
  expect(ways(await bar('Main'))).toEqual([
    'Home /',
    'My Subscriptions /my-subscriptions',
    'Browse Plans /available-subscriptions',
    'My Savings /my-savings',
  ])
  await user.click(screen.getByText('Your menu'))
  await screen.findByText('Account Settings')
  const entries = [...document.querySelectorAll('[role=menuitem]')]
  expect(entries.map((entry) => `${entry.textContent} ${entry.getAttribute('href')}`)).toEqual([
    'Dashboard /dashboard',
    'My Savings /my-savings',
    'Savings Insights /savings-insights',
    'Provider Requests /my-provider-requests',
    'Account Settings /account-settings',
    'Help /help',
    'Language null',
    'Log out null',
  ])
  await user.click(screen.getByText('Savings Insights'))
  await screen.findByText('Savings Insights', { selector: 'h1' })
  expect(at()).toBe('/savings-insights')
  const bottom = await bar('Bottom')
  await waitFor(() =>
    expect([...bottom.children].map((item) => `${item.textContent} ${item.getAttribute('href')}`)).toEqual([
      'Home /',
      'Plans /my-subscriptions',
      'Create /create',
      'Account null',
    ]),
  )
  await user.click(within(bottom).getByText('Account'))
  const menu = await screen.findByRole('dialog')
  expect(menu.textContent).toContain(marc.email)
  await user.click(within(menu).getByText('My Subscriptions'))
  await waitFor(() => expect(at()).toBe('/my-subscriptions'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // A plan's own page has no "Back".
  await screen.findByLabelText('Back')
  await router.navigate({ href: `/subscription/${planId}` })
  await screen.findByText('Your Subscribed Plan', { selector: 'h1' })
  expect(screen.queryByLabelText('Back')).toBeNull()
})

it('a bell counts the requests for all plans of an owner, and leads to them', async () => {
  const owner = await newPerson(server, 'otto')
  const askers: TestUser[] = [await newPerson(server, 'mia'), await newPerson(server, 'leo')]
  const [first, second] = [await sharePlan(owner), await sharePlan(owner, 3, 'spotify-premium-family')]
  for (const person of askers) await ask(person, first)
  const last = await ask(askers[0] as TestUser, second)
  const { at, user } = await openApp(server, '/about', { as: owner })
  const bell = await screen.findByLabelText('Join requests, 3 pending')
  expect(bell.parentElement?.textContent).toBe('3')
  await answer(owner, 'approve', second, last)
  await screen.findByLabelText('Join requests, 2 pending')
  // The other bell is a separate button, which opens the notifications.
  expect(screen.getByLabelText(/^Notifications/, { selector: 'button' })).toBeTruthy()
  await user.click(bell)
  await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=requests'))
})

it('every page about payments says that they are simulated', async () => {
  const told = 'No real money or cards are used.'
  const { olivia: owner, marc: member, zoe: stranger } = await newPeople(server)
  const plan = await sharePlan(owner)
  await payThroughSite(server, plan)
  // The member is admitted without a card, so the first payment fails.
  await join(owner, member, plan)
  await till.work()
  const [payment] = await server.db.query<{ id: string }>(
    'select id from member_payments where member_id = $1',
    [member.id],
  )
  const { router } = await openApp(server, '/about', { as: member })
  for (const address of [
    '/cards',
    `/pay/${payment?.id}`,
    '/simulated-confirmation?id=sim_1',
    '/payments',
    `/payments/${payment?.id}`,
    `/subscription/${plan}`,
    '/create?category=music&provider=spotify&plan=spotify-premium-family&part=slots&slots=2',
  ]) {
    await act(() => router.navigate({ href: address }))
    await screen.findByText(told)
    await act(() => router.navigate({ href: '/about' }))
    await waitFor(() => expect(screen.queryByText(told)).toBeNull())
  }
  const { user } = await openApp(server, `/subscription/${plan}`, { as: stranger })
  // The button is shown as busy until it is known who may ask.
  await waitFor(() => expect(screen.getByText('Request to join').closest('[data-loading]')).toBeNull())
  await user.click(screen.getByText('Request to join'))
  await screen.findByText(told)
})
