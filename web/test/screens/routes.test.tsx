// Who sees what at which address: the rows of the matrix of routes and audiences, for each audience in one open app.
import { testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { join, newPeople, type People, password, sharePlan } from '../sharing.ts'

const SIGN_IN = 'sign-in'
/** The heading of a page on the address itself, or `> ` and the address one is led to. */
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
  'signed-in': 'Error Loading Subscription: You do not have access to this subscription',
  owner: 'Manage Your Shared Plan',
  member: 'Your Subscribed Plan',
}
/** Staff sees the heading, moderators perhaps something else, and everybody else asks for access (R2). */
const staff = (heading: Outcome, moderator = heading): Row => ({
  ...signedIn('> /admin-request'),
  ...{ moderator, admin: heading, 'super-admin': heading },
})
const REFUSED = 'Your role does not include this page'
const NOT_FOUND = everybody('Oops! Page not found')

const MATRIX: Record<string, Row> = {
  '/': everybody('Share subscriptions, split the cost, save together.'),
  '/home': everybody('> /'),
  '/user-home': everybody('> /'),
  '/about': everybody('How It Works'),
  '/privacy': everybody('Privacy'),
  '/terms': everybody('Terms'),
  '/signin': { visitor: 'Welcome Back', 'signed-in': '> /' },
  '/sign-in': { visitor: 'Welcome Back', 'signed-in': '> /' },
  '/signin?redirect=%2Fcreate': { visitor: 'Welcome Back', 'signed-in': '> /create' },
  '/signup': { visitor: 'Create Your Account', 'signed-in': '> /' },
  '/sign-up': { visitor: 'Create Your Account', 'signed-in': '> /' },
  '/reset-password': { visitor: 'Reset your password', 'signed-in': 'Set a new password' },
  '/auth-redirect': { visitor: '> /sign-in', 'signed-in': '> /' },
  '/dashboard': signedIn('> /my-subscriptions'),
  '/my-subscriptions': signedIn('My Subscriptions'),
  '/available-subscriptions': signedIn('Browse Plans'),
  '/create': signedIn('Create New Plan'),
  '/manage-shared/{id}': ofThePlan,
  '/manage-subscribed/{id}': ofThePlan,
  '/subscription/{id}': ofThePlan,
  '/simple-subscription/{id}': everybody('> /subscription/{id}'),
  '/my-provider-requests': signedIn('User Provider Requests'),
  '/admin': staff('Admin Dashboard'),
  '/admin/subscriptions': staff('Subscription Plans'),
  '/admin/users': staff('User Management'),
  '/admin/roles': staff('System Roles', REFUSED),
  '/admin/withdrawals': staff('Withdrawals', REFUSED),
  '/admin/financials': staff('Financials', REFUSED),
  '/admin-request': signedIn('Request Admin Access'),
  '/admin/requests': signedIn('Request Admin Access'),
  '/account-settings': signedIn('Account Settings'),
  '/settings': signedIn('Account Settings'),
  '/my-savings': signedIn('My Savings'),
  '/savings': signedIn('My Savings'),
  '/savings-insights': signedIn('Savings Insights'),
  '/no/such/page': NOT_FOUND,
  '/subscriptions': NOT_FOUND,
  '/administrator': NOT_FOUND,
}

describe('every address of the matrix', async () => {
  const server = await testServer()
  let people: People
  let planId: string
  beforeAll(async () => {
    people = await newPeople(server)
    planId = await sharePlan(people.olivia)
    await join(people.olivia, people.marc, planId)
  })

  /** Goes to every address in one app, or to those below one; fails at the first that leads to something else. */
  async function walk(audience: keyof Row, as?: { email: string }, below = '/'): Promise<void> {
    const { router, at } = await openApp(server, '/about', as && { as: { email: as.email, password } })
    await screen.findByRole('heading', { level: 1 })
    for (const [row, one] of Object.entries(MATRIX).filter(([address]) => address.startsWith(below))) {
      const address = row.replace('{id}', planId)
      // From elsewhere each time, so that nothing on screen is left from the address before.
      await act(() => router.navigate({ href: '/no/page' }))
      await screen.findByRole('heading', { level: 1, name: 'Oops! Page not found' })
      window.sessionStorage.clear()
      await act(() => router.navigate({ href: address }))
      await waitFor(() => {
        const shown = screen.getByRole('heading', { level: 1 }).textContent
        expect(`${row}: ${outcome(at(), address, shown)}`).toBe(
          `${row}: ${one[audience] ?? one['signed-in']}`,
        )
      })
    }
  }
  function outcome(href: string, address: string, heading: string | null): Outcome {
    if (href === `/signin?redirect=${encodeURIComponent(address)}`) return SIGN_IN
    if (href !== address) return `> ${href.replace(planId, '{id}')}`
    const refusal = screen.queryByText('You do not have access to this subscription')
    return refusal ? `${heading}: ${refusal.textContent}` : (heading ?? '')
  }

  it('shows a visitor what the matrix says', async () => {
    await walk('visitor')
  })

  it('shows a signed-in person what the matrix says', async () => {
    await walk('signed-in', people.zoe)
  })

  it('shows the owner of the plan what the matrix says', async () => {
    await walk('owner', people.olivia)
  })

  it('shows a member of the plan what the matrix says', async () => {
    await walk('member', people.marc)
  })

  const grant = (role: string) =>
    server.db.query(
      `insert into public.user_roles (user_id, role) values ($1, $2)
       on conflict (user_id) do update set role = excluded.role`,
      [people.zoe.id, role],
    )

  it('shows a moderator what the matrix says', async () => {
    await grant('moderator')
    await walk('moderator', people.zoe, '/admin')
  })

  it('shows an admin what the matrix says', async () => {
    await grant('admin')
    await walk('admin', people.zoe, '/admin')
  })

  it('shows a super-admin everything, but no plan they neither own nor joined', async () => {
    await grant('super-admin')
    await walk('super-admin', people.zoe)
  })
})
