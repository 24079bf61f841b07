import { t } from '@lingui/core/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '#lib/online.ts'
import { useSession } from '#lib/session.ts'
import { useNavigation } from './navigation.ts'
import classes from './Shell.module.css'

// Kept out of the first load.
const QuickActions = lazyPart(async () => (await import('./QuickActions.tsx')).QuickActions)

const hiddenOn = new Set(['/signin', '/signup', '/sign-in', '/sign-up', '/reset-password'])

/** Four links within reach of a thumb, below 768 px. */
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
            <button key={to} type="button" className={classes.tab} onClick={onAccount} aria-haspopup="dialog">
              <Icon size={22} aria-hidden />
              {label}
            </button>
          ) : (
            <Link key={to} to={to} className={classes.tab} activeOptions={{ exact: to === '/' }}>
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
