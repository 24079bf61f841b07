// Every address, once it has loaded; in the deep tier on a tablet and in dark too. An address that
// is missing here, or that redirects, fails.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { look } from './look.ts'
import { read, sessionOf } from './people.ts'
import type { Potluck } from './potluck.ts'
import { test } from './test.ts'

const DEMO = 'demo@potluck.example'
const DANA = '5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a01'
const SUPER_ADMIN = 'sofia@potluck.example'
const TOKEN = 'no-such-token'
const NOWHERE = '/no/such/page'
const NOT_FOUND = 'Oops! Page not found'

/** Values for the routes' parameters, from the demo data. */
const PARAMETERS: Record<string, (potluck: Potluck) => Promise<Record<string, string>>> = {
  '/manage-shared/$planId': theirPlan('netflix-premium', 'Dana'),
  '/manage-shared/$planId/payments': theirPlan('netflix-premium', 'Dana'),
  '/manage-subscribed/$planId': theirPlan('disney-plus-premium', 'Olivia'),
  '/subscription/$planId': theirPlan('apple-music-family', 'Amira'),
  '/plans/$planId': theirPlan('apple-music-family', 'Amira'),
  '/people/$personId': async () => ({ personId: '5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a04' }),
  // Who shares plans, pays for places, and has a wallet.
  '/admin/people/$personId': async () => ({ personId: DANA }),
  // The person whose card was declined.
  '/pay/$paymentId': theirs(
    'member_payments',
    `member_id=eq.${DANA}&settlement=eq.potluck&order=status`,
    'paymentId',
  ),
  '/payments/$paymentId': theirs('member_payments', 'status=eq.paid', 'paymentId'),
  '/problems/$problemId': theirs('seat_problems', '', 'problemId'),
  '/plans-like/$seatId': theirs('member_payments', 'status=eq.paid', 'seatId', 'seat_id'),
  // Gone: an existing one redirects.
  '/notifications/$id': async () => ({ id: '00000000-0000-4000-8000-000000000000' }),
  '/messages/$conversationId': async () => ({ conversationId: '00000000-0000-4000-8000-000000000000' }),
  '/invitation/$token': async () => ({ token: TOKEN }),
  '/join/$token': async () => ({ token: TOKEN }),
  '/p/$code': async () => ({ code: TOKEN }),
  '/unsubscribe/$token': async () => ({ token: TOKEN }),
}

const OF_VISITORS = [
  '/about',
  '/accessibility',
  '/books',
  '/help',
  '/invitation/$token',
  '/p/$code',
  '/people/$personId',
  '/plans',
  '/plans/$planId',
  '/privacy',
  '/reset-password',
  '/signin',
  '/signup',
  '/terms',
  '/undo-change',
  '/unsubscribe/$token',
]

const OF_PLANS = [
  '/available-subscriptions',
  '/create',
  '/join/$token',
  '/manage-shared/$planId',
  '/manage-shared/$planId/payments',
  '/manage-subscribed/$planId',
  '/my-subscriptions',
  '/plans-like/$seatId',
  '/problems/$problemId',
  '/request-provider',
  '/subscription/$planId',
]

const OF_MONEY_AND_SELF = [
  '/',
  '/account-settings',
  '/account-settings/money',
  '/account-settings/notifications',
  '/account-settings/privacy',
  '/account-settings/security',
  '/account-settings/standing',
  '/admin-request',
  '/cards',
  '/my-provider-requests',
  '/my-savings',
  '/my-savings/statement',
  '/messages/$conversationId',
  '/notifications/$id',
  '/pay/$paymentId',
  '/payments',
  '/payments/$paymentId',
  '/savings-insights',
  '/simulated-confirmation',
]

const OF_STAFF = [
  '/admin',
  '/admin/disputes',
  '/admin/financials',
  '/admin/log',
  '/admin/people/$personId',
  '/admin/problems',
  '/admin/reports',
  '/admin/requests',
  '/admin/reviews',
  '/admin/roles',
  '/admin/subscriptions',
  '/admin/support',
  '/admin/transfers',
  '/admin/users',
  '/admin/withdrawals',
]

/** Other addresses of the same screens: web/test/screens/routes.test.tsx tests where they lead. */
const ALIASES = [
  '/auth-redirect',
  '/dashboard',
  '/home',
  '/manage-shared',
  '/manage-subscribed',
  '/savings',
  '/settings',
  '/sign-in',
  '/sign-up',
  '/simple-subscription/$planId',
  '/subscription',
  '/user-home',
]

// Each visits a quarter of them, and visits do not affect each other.
test.describe.configure({ mode: 'parallel' })

test('every route is looked at', () => {
  const tree = readFileSync(join(import.meta.dirname, '../web/src/routeTree.gen.ts'), 'utf8')
  const routes = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree)?.[1]?.matchAll(/^ {2}'(.+)':/gm) ?? []
  const known = [...OF_VISITORS, ...OF_PLANS, ...OF_MONEY_AND_SELF, ...OF_STAFF, ...ALIASES]
  expect(known.toSorted()).toEqual(Array.from(routes, ([, route]) => route).toSorted())
})

for (const [people, as, routes] of [
  ['visitors', undefined, OF_VISITORS],
  ['somebody’s plans', DEMO, OF_PLANS],
  ['somebody’s money and account', DEMO, OF_MONEY_AND_SELF],
  ['staff', SUPER_ADMIN, OF_STAFF],
] as const)
  test(`every address of ${people} is fit to be shown`, async ({ open, potluck }) => {
    const { page, complaints } = await open({ ...(as && { as }) })
    const visit = await visitor(page, potluck)
    for (const route of routes) {
      await visit(route)
      const shown = new RegExp(`^${route.replace(/\$\w+/g, '[^/]+')}$`)
      expect(new URL(page.url()).pathname, `${route} leads elsewhere`).toMatch(shown)
      await look(page, nameOf(route), { sizes: ['phone', 'tablet', 'desktop'] })
      // The browser itself logs that the secret of a link is unknown.
      const expected = route.includes('$token') ? [expect.stringContaining('404')] : []
      expect(complaints.splice(0), route).toEqual(expected)
    }
  })

const nameOf = (route: string) => route.replaceAll(/\W+/g, '-').slice(1) || 'home'

/** From address to address: the first is loaded, the app navigates to all others, as with a link. */
async function visitor(page: Page, potluck: Potluck): Promise<(route: string) => Promise<void>> {
  const title = page.getByRole('heading', { level: 1 })
  await page.goto('/about')
  await expect(title).toBeVisible()
  return async (route) => {
    const parameters = (await PARAMETERS[route]?.(potluck)) ?? {}
    const address = route.replace(/\$(\w+)/g, (_, name) => parameters[name] ?? '')
    // From a very different page, so that nothing is left of the previous one.
    for (const [to, shown] of [
      [NOWHERE, title.filter({ hasText: NOT_FOUND })],
      [address, title.filter({ hasNotText: NOT_FOUND })],
    ] as const) {
      await page.evaluate((next) => window.history.pushState(null, '', next), to)
      await expect(shown).toBeVisible()
    }
  }
}

/** This owner's plan of the named catalogue plan. */
function theirPlan(cataloguePlan: string, owner: string) {
  return async (potluck: Potluck) => {
    const [plan] = await rows(
      potluck,
      `shared_subscriptions?select=id,owner:user_profiles!inner(display_name)&catalogue_plan_id=eq.${cataloguePlan}&owner.display_name=like.${owner}*`,
    )
    return { planId: plan?.id ?? '' }
  }
}

/** Things the demo person has one of. */
function theirs(table: string, filter: string, parameter: string, column = 'id') {
  return async (potluck: Potluck) => {
    const [row] = await rows(potluck, `${table}?select=${column}&${filter}&limit=1`)
    return { [parameter]: row?.[column] ?? '' }
  }
}

const rows = async (potluck: Potluck, path: string): Promise<Record<string, string>[]> =>
  read(potluck, `/rest/v1/${path}`, await sessionOf(potluck, DEMO))
