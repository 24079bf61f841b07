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
  /** Strangers are led to it, become members on it, or members open it: first, or later. Its modules are in files with others like it (chunks.ts). */
  visit: 'strangers' | 'way in' | 'first' | 'later'
}

const pageFor =
  (readers: Reader[], visit: FirstSight['visit']) =>
  (name: string, route = readers.includes('visitor') ? name : `_signed-in/${name}`): FirstSight => ({
    address: `/${name}`,
    route,
    readers,
    visit,
  })
const forAll = pageFor(['visitor', 'member'], 'strangers')
const wayIn = pageFor(['visitor'], 'way in')
const first = pageFor(['member'], 'first')
const later = pageFor(['member'], 'later')
const plan = pageFor(['visitor'], 'strangers')('plans/any', 'plans.$planId')

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
  'home.html': first('', 'index'),
  'my-subscriptions.html': first('my-subscriptions'),

  'create.html': later('create'),
  'payments.html': first('payments', '_signed-in/payments.index'),
  'my-savings.html': later('my-savings'),
  'account-settings.html': later('account-settings', '_signed-in/account-settings.index'),
}
