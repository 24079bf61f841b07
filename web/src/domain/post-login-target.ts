const signInScreens = new Set(['/signin', '/sign-in', '/signup', '/sign-up'])

/** True for the pages people sign in and up on, however their address is written. */
export const isSignInScreen = (pathname: string): boolean =>
  signInScreens.has(pathname.replace(/\/+$/, '').toLowerCase())

/**
 * Where to go after signing in: the wanted path when it is one of this site's own and not itself a sign-in screen,
 * else /. `origin` is the site's, for instance "https://potluck.example".
 */
export function postLoginTarget(wanted: unknown, origin: string): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/'
  const target = URL.canParse(wanted, origin) ? new URL(wanted, origin) : null
  if (!target || target.origin !== origin) return '/'
  // A path of its own may still begin with two slashes, which the next reader would take for a host.
  if (target.pathname.startsWith('//') || isSignInScreen(target.pathname)) return '/'
  return `${target.pathname}${target.search}${target.hash}`
}
