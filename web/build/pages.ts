// The pages that the build prerenders: those that people reach from outside, and those that members open most.

/**
 * The kind of reader that a page is prerendered for. start.js decides before the first paint which version is shown.
 */
export type Reader = 'visitor' | 'member'

interface FirstSight {
  /** The path at which the page is rendered. */
  address: string
  /** The file of the page's route, below `src/routes/_shell`, without its extension. */
  route: string
  /** The readers for whom the page is prerendered. Others get the frame: the bars around a loading indicator. */
  readers: Reader[]
  /**
   * Who opens the page: strangers who follow a link, people on their way in (sign-in and sign-up), or members: at first,
   * to share a plan, or later. chunks.ts puts the modules of pages with the same value into the same files.
   */
  visit: 'strangers' | 'way in' | 'first' | 'sharing' | 'later'
  /** The server draws the visitors' page anew with its data (draw-with-data.tsx). */
  withData?: boolean
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
const plan = { ...pageFor(['visitor'], 'strangers')('plans/any', 'plans.$planId'), withData: true }

/** The pages by file name; `[id]` stands for any name. All other paths get `app.html`, with only the frame. */
export const firstSights: Record<string, FirstSight | undefined> = {
  'app.html': undefined,
  'plans.html': { ...forAll('plans', 'plans.index'), withData: true },
  'plans/[id].html': plan,
  // Most short links redirect to a plan's page.
  'p/[id].html': plan,
  // Without its data, this page has nothing to show.
  'people/[id].html': { ...pageFor([], 'strangers')('people/any', 'people.$personId'), withData: true },
  'books.html': { ...forAll('books'), withData: true },
  'about.html': forAll('about'),
  'help.html': forAll('help'),
  'signin.html': wayIn('signin'),
  'sign-in.html': wayIn('sign-in'),
  'signup.html': wayIn('signup'),
  'sign-up.html': wayIn('sign-up'),
  'reset-password.html': wayIn('reset-password'),
  'home.html': first('', 'index'),
  'my-subscriptions.html': first('my-subscriptions'),

  'create.html': pageFor(['member'], 'sharing')('create'),
  'payments.html': first('payments', '_signed-in/payments.index'),
  'my-savings.html': later('my-savings'),
  // The page of guests, who see no navigation.
  'place.html': pageFor(['visitor', 'member'], 'later')('place'),
  'account-settings.html': later('account-settings', '_signed-in/account-settings.index'),
}
