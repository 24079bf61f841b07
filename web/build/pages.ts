// The pages of the app that people come to from outside, and those a signed-in person opens first: the build draws them ahead.

/** Who a page is drawn for: start.js tells them apart, before anything is painted. */
export type Reader = 'visitor' | 'member'

interface FirstSight {
  /** The address it is drawn for. */
  address: string
  /** The file of its route, below `src/routes/_shell`. */
  route: string
  /** Everybody else finds the frame alone. */
  readers: Reader[]
  /** Strangers are led to it, become members on it, or members open it first: decides which files its modules are in (chunks.ts). */
  visit?: 'strangers' | 'way in' | 'members'
}

const forAll = (name: string, route = name): FirstSight => ({
  address: `/${name}`,
  route,
  readers: ['visitor', 'member'],
  visit: 'strangers',
})
const plan: FirstSight = {
  address: '/plans/any',
  route: 'plans.$planId',
  readers: ['visitor'],
  visit: 'strangers',
}
const wayIn = (name: string): FirstSight => ({
  address: `/${name}`,
  route: name,
  readers: ['visitor'],
  visit: 'way in',
})
const forMembers = (name: string, more: Partial<FirstSight> = {}): FirstSight => ({
  address: `/${name}`,
  route: `_signed-in/${name}`,
  readers: ['member'],
  ...more,
})

/** By the path of the page's file, `[id]` being any name. All other addresses are `app.html`, with the frame alone. */
export const firstSights: Record<string, FirstSight | undefined> = {
  'app.html': undefined,
  'plans.html': forAll('plans', 'plans.index'),
  'plans/[id].html': plan,
  // Most short links lead on to such a page.
  'p/[id].html': plan,
  'about.html': forAll('about'),
  'help.html': forAll('help'),
  'signin.html': wayIn('signin'),
  'sign-in.html': wayIn('sign-in'),
  'signup.html': wayIn('signup'),
  'sign-up.html': wayIn('sign-up'),
  'reset-password.html': wayIn('reset-password'),
  'home.html': forMembers('', { route: 'index', visit: 'members' }),
  'my-subscriptions.html': forMembers('my-subscriptions', { visit: 'members' }),
  'available-subscriptions.html': forMembers('available-subscriptions', { visit: 'members' }),
  'create.html': forMembers('create'),
  'payments.html': forMembers('payments', { route: '_signed-in/payments.index', visit: 'members' }),
  'my-savings.html': forMembers('my-savings'),
  'account-settings.html': forMembers('account-settings', { route: '_signed-in/account-settings.index' }),
}
