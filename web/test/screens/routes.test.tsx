// Who sees what at which address: the rows of the matrix of routes and audiences, for each audience in one open app.
import { testServer } from '@potluck/server/test/harness.ts'
import { act, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { join, newPeople, type People, sharePlan } from '../sharing.ts'

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
  'signed-in': 'Netflix Premium',
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
  '/': { ...everybody('Home'), visitor: 'Share subscriptions, split the cost, save together.' },
  '/home': everybody('> /'),
  '/user-home': everybody('> /'),
  '/about': everybody('How It Works'),
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
  '/available-subscriptions': signedIn('Browse Plans'),
  '/create': signedIn('Create New Plan'),
  '/cards': signedIn('Cards'),
  '/pay/00000000-0000-4000-8000-000000000000': signedIn('Payment'),
  '/simulated-confirmation?id=x': signedIn('Confirm with your bank'),
  '/manage-shared/{id}': ofThePlan,
  '/manage-subscribed/{id}': ofThePlan,
  '/subscription/{id}': ofThePlan,
  '/people/00000000-0000-4000-8000-000000000000': everybody('There is nobody here'),
  '/people/nobody': everybody('There is nobody here'),
  '/simple-subscription/{id}': everybody('> /subscription/{id}'),
  '/plans': everybody('Plans to join'),
  '/plans/{id}': everybody('Netflix Premium'),
  '/plans/no-such': everybody('This plan is not here'),
  '/my-provider-requests': signedIn('User Provider Requests'),
  '/admin': staff('Admin Dashboard'),
  '/admin/subscriptions': staff('Subscription Plans'),
  '/admin/users': staff('User Management'),
  '/admin/people/nobody': staff('There is nobody here'),
  '/admin/roles': staff('System Roles', REFUSED),
  '/admin/withdrawals': staff('Withdrawals', REFUSED),
  '/admin/financials': staff('Financials', REFUSED),
  '/admin-request': signedIn('Request Admin Access'),
  '/admin/requests': { ...signedIn('Request Admin Access'), 'super-admin': 'Admin Access Requests' },
  '/account-settings': signedIn('Account Settings'),
  '/account-settings/security': signedIn('Security'),
  '/settings': signedIn('Account Settings'),
  '/my-savings': signedIn('My Savings'),
  '/savings': signedIn('My Savings'),
  '/savings-insights': signedIn('Savings Insights'),
  '/payments': signedIn('My Payments'),
  '/payments/no-such': signedIn('Receipt not found'),
  '/manage-shared/no-such/payments': signedIn('Payments'),
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

  const heading = () => document.querySelector('h1')?.textContent ?? ''
  /**
   * Goes to the addresses that mean something else to this audience, or to every one, in one app; fails at the first
   * that leads to something else.
   */
  async function walk(audience: keyof Row, as?: { email: string }): Promise<void> {
    const { router, at } = await openApp(server, '/about', as && { as })
    const own = Object.entries(MATRIX).filter(([address, one]) => audience in one || address.includes('{id}'))
    for (const [row, one] of own) {
      const address = row.replace('{id}', planId)
      // From elsewhere each time, so that nothing on screen is left from the address before.
      await act(() => router.navigate({ href: '/no/page' }))
      await waitFor(() => expect(heading()).toBe('Oops! Page not found'))
      window.sessionStorage.clear()
      await act(() => router.navigate({ href: address }))
      await waitFor(() => {
        expect(`${row}: ${outcome(at(), address, heading())}`).toBe(
          `${row}: ${one[audience] ?? one['signed-in']}`,
        )
      })
    }
  }
  function outcome(href: string, address: string, shown: string): Outcome {
    if (href === `/signin?redirect=${encodeURIComponent(address)}`) return SIGN_IN
    if (href !== address) return `> ${href.replace(planId, '{id}')}`
    return shown
  }

  const grant = (role: string) =>
    server.db.query(
      `insert into public.user_roles (user_id, role) values ($1, $2)
       on conflict (user_id) do update set role = excluded.role`,
      [people.zoe.id, role],
    )

  it.each([
    ['visitor', undefined],
    ['signed-in', 'zoe'],
    ['owner', 'olivia'],
    ['member', 'marc'],
    ['moderator', 'zoe'],
    ['admin', 'zoe'],
    // Everything for staff, but of a plan they neither own nor joined only what is on offer.
    ['super-admin', 'zoe'],
  ] as const)('shows the %s what the matrix says', async (audience, who) => {
    if (['moderator', 'admin', 'super-admin'].includes(audience)) await grant(audience)
    await walk(audience, who && people[who])
  })
})
