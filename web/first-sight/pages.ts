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
}

const everybody: Reader[] = ['visitor', 'member']
const forAll = (address: string, route: string): FirstSight => ({ address, route, readers: everybody })
const forVisitors = (address: string, route: string): FirstSight => ({ address, route, readers: ['visitor'] })
const forMembers = (name: string, route = `_signed-in/${name}`): FirstSight => ({
  address: `/${name}`,
  route,
  readers: ['member'],
})

/** By the path of the page's file, `[id]` being any name. All other addresses are `app.html`, with the frame alone. */
export const firstSights: Record<string, FirstSight | undefined> = {
  'app.html': undefined,
  'plans.html': forAll('/plans', 'plans.index'),
  'plans/[id].html': forVisitors('/plans/any', 'plans.$planId'),
  // Most short links lead on to such a page.
  'p/[id].html': forVisitors('/plans/any', 'plans.$planId'),
  'about.html': forAll('/about', 'about'),
  'help.html': forAll('/help', 'help'),
  'signin.html': forVisitors('/signin', 'signin'),
  'sign-in.html': forVisitors('/sign-in', 'sign-in'),
  'signup.html': forVisitors('/signup', 'signup'),
  'sign-up.html': forVisitors('/sign-up', 'sign-up'),
  'reset-password.html': forVisitors('/reset-password', 'reset-password'),
  'home.html': { address: '/', route: 'index', readers: ['member'] },
  'my-subscriptions.html': forMembers('my-subscriptions'),
  'available-subscriptions.html': forMembers('available-subscriptions'),
  'create.html': forMembers('create'),
  'payments.html': forMembers('payments', '_signed-in/payments.index'),
  'my-savings.html': forMembers('my-savings'),
  'account-settings.html': forMembers('account-settings', '_signed-in/account-settings.index'),
}
