import { t } from '@lingui/core/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '#lib/online.ts'
import { useSession } from '#lib/session.ts'
import { useNavigation } from './navigation.ts'
import classes from './Shell.module.css'

// Lazy, to keep it out of the first load.
const QuickActions = lazyPart(async () => (await import('./QuickActions.tsx')).QuickActions)

const hiddenOn = new Set(['/signin', '/signup', '/sign-in', '/sign-up', '/reset-password'])

/** The bar at the bottom of a phone (below 768 px), with four links. */
export function BottomBar({ onAccount }: { onAccount: () => void }) {
  const signedIn = useSession().status === 'signed-in'
  const { pathname } = useLocation()
  const { bottom } = useNavigation(signedIn ? 'signed-in' : 'signed-out')
  if (hiddenOn.has(pathname)) return null

  return (
    <>
      <nav className={classes.bottom} aria-label={t`Bottom`} data-quick={signedIn || undefined}>
        {bottom.map(({ label, to, icon: Icon }) =>
          to === '#account' ? (
            <button
              key={to}
              type="button"
              className={classes.tab}
              data-status={pathname.startsWith('/account-settings') ? 'active' : undefined}
              onClick={onAccount}
              aria-haspopup="dialog"
            >
              <Icon size={22} aria-hidden />
              {label}
            </button>
          ) : (
            <Link
              key={to}
              to={to}
              className={classes.tab}
              activeOptions={{ exact: to === '/', includeSearch: false }}
            >
              <Icon size={22} aria-hidden />
              {label}
            </Link>
          ),
        )}
      </nav>
      <Suspense>{signedIn && <QuickActions />}</Suspense>
    </>
  )
}
