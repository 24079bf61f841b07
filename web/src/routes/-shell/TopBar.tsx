import { t } from '@lingui/core/macro'
import { ActionIcon, Container, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconChevronLeft, IconMenu2, IconMoon, IconSun } from '@tabler/icons-react'
import { Link, useCanGoBack, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '#lib/online.ts'
import { useSession } from '#lib/session.ts'
import { Logo } from '#ui/Logo.tsx'
import { LinkButton } from '#ui/links.tsx'
import { OfflineNotice } from '#ui/OfflineNotice.tsx'
import { LanguageSelect } from './LanguageSelect.tsx'
import { HERE, useNavigation } from './navigation.ts'
import classes from './Shell.module.css'

const SignedInTools = lazyPart(async () => (await import('./SignedInTools.tsx')).SignedInTools)

/** The bar above every screen; below 768 px its links move to the bottom bar and the side menu. */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  const session = useSession()
  const { pathname } = useLocation()
  const user = session.status === 'signed-in' ? session.user : null
  const { top } = useNavigation(user ? 'signed-in' : 'signed-out')

  return (
    <header className={classes.top}>
      <Container className={classes.topInner}>
        <BackButton />
        <Link to="/" className={classes.home} aria-label={t`Potluck, home`}>
          <Logo sharesLine={user !== null} />
        </Link>
        <nav className={classes.links} aria-label={t`Main`}>
          {top.map(({ label, to, covers }) =>
            to === '/signup' ? (
              <LinkButton key={to} to={to} variant="secondary" ms="xs">
                {label}
              </LinkButton>
            ) : (
              <Link
                key={to}
                to={to}
                className={classes.link}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                inactiveProps={covers && pathname.startsWith(covers) ? HERE : {}}
              >
                {label}
              </Link>
            ),
          )}
        </nav>
        <div className={classes.tools}>
          {user ? (
            <Suspense>
              <SignedInTools user={user} />
            </Suspense>
          ) : (
            <>
              <div className={classes.wide}>
                <LanguageSelect quiet />
              </div>
              <SchemeButton />
            </>
          )}
          <ActionIcon
            className={classes.narrow}
            onClick={onMenu}
            aria-label={t`Open menu`}
            aria-haspopup="dialog"
          >
            <IconMenu2 size={24} />
          </ActionIcon>
        </div>
      </Container>
      <OfflineNotice />
    </header>
  )
}

/** The bar above a page without navigation. */
export const PlainBar = () => (
  <header className={classes.top}>
    <Container className={classes.topInner}>
      <Logo sharesLine={false} />
      <div className={classes.tools}>
        <LanguageSelect quiet />
        <SchemeButton />
      </div>
    </Container>
    <OfflineNotice />
  </header>
)

/** Goes back on a phone: to /admin from its subpages, else in history, else home. */
function BackButton() {
  const { pathname } = useLocation()
  const canGoBack = useCanGoBack()
  const { history } = useRouter()
  const navigate = useNavigate()
  const atTheStart = pathname === '/' && !canGoBack
  if (atTheStart || pathname.includes('/subscription/')) return null

  const goBack = () => {
    if (pathname.startsWith('/admin/')) void navigate({ href: '/admin' })
    else if (canGoBack) history.back()
    else void navigate({ to: '/' })
  }
  return (
    <ActionIcon
      className={`${classes.narrow} ${classes.arrow}`}
      onClick={goBack}
      aria-label={t`Back`}
      style={{ marginInlineStart: -10 }}
    >
      <IconChevronLeft size={24} />
    </ActionIcon>
  )
}

/** Toggles light and dark, for visitors, who have no menu of their own. */
function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light')
  const other = shown === 'dark' ? 'light' : 'dark'
  const Icon = shown === 'dark' ? IconSun : IconMoon
  return (
    <ActionIcon onClick={() => setColorScheme(other)} aria-label={t`Switch to ${other} appearance`}>
      <Icon size={22} />
    </ActionIcon>
  )
}
