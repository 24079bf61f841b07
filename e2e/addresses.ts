// Every path of the app, grouped by who may visit it, with parameter values from the demo data.
import { read, sessionOf } from './people.ts'
import type { Potluck } from './potluck.ts'

const DEMO = 'demo@potluck.example'
const DANA = '5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a01'
const SUPER_ADMIN = 'sofia@potluck.example'
const TOKEN = 'no-such-token'

/** Values for the routes' parameters, from the demo data. */
const PARAMETERS: Record<string, (potluck: Potluck) => Promise<Record<string, string>>> = {
  '/manage-shared/$planId': theirPlan('netflix-premium', 'Dana'),
  '/manage-shared/$planId/payments': theirPlan('netflix-premium', 'Dana'),
  '/manage-subscribed/$planId': theirPlan('disney-plus-premium', 'Olivia'),
  '/manage-subscribed/$planId/proof': theirPlan('disney-plus-premium', 'Olivia'),
  '/subscription/$planId': theirPlan('apple-music-family', 'Amira'),
  '/plans/$planId': theirPlan('apple-music-family', 'Amira'),
  '/people/$personId': async () => ({ personId: '5e1f3a52-0c1d-4b7e-9a01-6d2c8f4b1a04' }),
  // Dana shares plans, pays for places, and has a wallet.
  '/admin/people/$personId': async () => ({ personId: DANA }),
  // A payment of the person whose card was declined.
  '/pay/$paymentId': theirs(
    'member_payments',
    `member_id=eq.${DANA}&settlement=eq.potluck&status=eq.failed`,
    'paymentId',
  ),
  '/payments/$paymentId': theirs('member_payments', 'status=eq.paid', 'paymentId'),
  '/problems/$problemId': theirs('seat_problems', '', 'problemId'),
  '/plans-like/$seatId': theirs('member_payments', 'status=eq.paid', 'seatId', 'seat_id'),
  // This notification does not exist; an existing one would redirect.
  '/notifications/$id': async () => ({ id: '00000000-0000-4000-8000-000000000000' }),
  '/messages/$conversationId': async () => ({ conversationId: '00000000-0000-4000-8000-000000000000' }),
  '/invitation/$token': async () => ({ token: TOKEN }),
  '/join/$token': async () => ({ token: TOKEN }),
  '/p/$code': async () => ({ code: TOKEN }),
  '/account-settings/webhooks/$webhookId': async () => ({
    webhookId: '00000000-0000-4000-8000-000000000000',
  }),
  '/answer/$token': async () => ({ token: TOKEN }),
  '/decision/$token': async () => ({ token: TOKEN }),
  '/unsubscribe/$token': async () => ({ token: TOKEN }),
}

const OF_VISITORS = [
  '/about',
  '/accessibility',
  '/answer/$token',
  '/books',
  '/decision/$token',
  '/developers',
  '/first-admin',
  '/help',
  '/imprint',
  '/invitation/$token',
  '/p/$code',
  '/people/$personId',
  '/place',
  '/plans',
  '/plans/$planId',
  '/privacy',
  '/report',
  '/reset-password',
  '/signin',
  '/signup',
  '/terms',
  '/undo-change',
  '/unsubscribe/$token',
]

const OF_PLANS = [
  '/create',
  '/create/own',
  '/import',
  '/join/$token',
  '/manage-shared/$planId',
  '/manage-shared/$planId/payments',
  '/manage-subscribed/$planId',
  '/manage-subscribed/$planId/proof',
  '/my-subscriptions',
  '/plans-like/$seatId',
  '/problems/$problemId',
  '/request-provider',
  '/subscription/$planId',
]

const OF_MONEY_AND_SELF = [
  '/',
  '/account-settings',
  '/account-settings/elsewhere',
  '/account-settings/money',
  '/account-settings/notifications',
  '/account-settings/privacy',
  '/account-settings/programs',
  '/account-settings/security',
  '/account-settings/standing',
  '/account-settings/webhooks/$webhookId',
  '/admin-request',
  '/cards',
  '/cards/add',
  '/my-provider-requests',
  '/my-savings',
  '/my-savings/statement',
  '/messages',
  '/messages/$conversationId',
  '/notifications/$id',
  '/pay/$paymentId',
  '/payments',
  '/payments/$paymentId',
  '/payments/statement',
  '/savings-insights',
  '/simulated-confirmation',
]

const OF_STAFF = [
  '/admin',
  '/admin/cases',
  '/admin/disputes',
  '/admin/financials',
  '/admin/log',
  '/admin/mails',
  '/admin/people/$personId',
  '/admin/problems',
  '/admin/requests',
  '/admin/roles',
  '/admin/set-up',
  '/admin/subscriptions',
  '/admin/system',
  '/admin/tax-report',
  '/admin/transfers',
  '/admin/users',
  '/admin/withdrawals',
]

/** Other paths of the screens above; web/test/screens/routes.test.tsx tests which screens they lead to. */
export const ALIASES = [
  '/auth-redirect',
  '/available-subscriptions',
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

/** The paths in groups, each with a name and the account that visits them (none for visitors). */
export const ADDRESSES: readonly (readonly [
  people: string,
  as: string | undefined,
  routes: readonly string[],
])[] = [
  ['visitors', undefined, OF_VISITORS],
  ['somebody’s plans', DEMO, OF_PLANS],
  ['somebody’s money and account', DEMO, OF_MONEY_AND_SELF],
  ['staff', SUPER_ADMIN, OF_STAFF],
]

/** Returns the path of a route, with parameters from the demo data. */
export async function addressOf(route: string, potluck: Potluck): Promise<string> {
  const parameters = (await PARAMETERS[route]?.(potluck)) ?? {}
  return route.replace(/\$(\w+)/g, (_, name) => parameters[name] ?? '')
}

/** Returns the parameters for this owner's plan of the named catalogue plan. */
function theirPlan(cataloguePlan: string, owner: string) {
  return async (potluck: Potluck) => {
    const [plan] = await rows(
      potluck,
      `shared_subscriptions?select=id,owner:user_profiles!inner(display_name)&catalogue_plan_id=eq.${cataloguePlan}&owner.display_name=like.${owner}*`,
    )
    return { planId: plan?.id ?? '' }
  }
}

/** Parameters for a row of this table that belongs to the demo person. */
function theirs(table: string, filter: string, parameter: string, column = 'id') {
  return async (potluck: Potluck) => {
    const [row] = await rows(potluck, `${table}?select=${column}&${filter}&limit=1`)
    return { [parameter]: row?.[column] ?? '' }
  }
}

const rows = async (potluck: Potluck, path: string): Promise<Record<string, string>[]> =>
  read(potluck, `/rest/v1/${path}`, await sessionOf(potluck, DEMO))
