const signInScreens = new Set(['/signin', '/sign-in', '/signup', '/sign-up'])

/** True for the pages to sign in and sign up, in any case and with any slash at the end. */
export const isSignInScreen = (pathname: string): boolean =>
  signInScreens.has(pathname.replace(/\/+$/, '').toLowerCase())

/**
 * Where to go after signing in: the wanted path if it is on this site and not itself a sign-in screen, else /. `origin`
 * is that of this site, for instance "https://potluck.example".
 */
export function postLoginTarget(wanted: unknown, origin: string): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/'
  const target = URL.canParse(wanted, origin) ? new URL(wanted, origin) : null
  if (!target || target.origin !== origin) return '/'
  // A browser takes a path that begins with two slashes for another host.
  if (target.pathname.startsWith('//') || isSignInScreen(target.pathname)) return '/'
  return `${target.pathname}${target.search}${target.hash}`
}
