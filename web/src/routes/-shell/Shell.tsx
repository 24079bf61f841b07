import { t } from '@lingui/core/macro'
import { VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useBrowserEvent } from '#lib/events.ts'
import { lazyPart } from '#lib/online.ts'
import { announcer, toPageStart } from '#ui/announce.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { useFirstError } from '#ui/use-first-error.ts'
import { useFocusKept } from '#ui/use-focus-kept.ts'
import { BottomBar } from './BottomBar.tsx'
import { Footer } from './Footer.tsx'
import classes from './Shell.module.css'
import { PlainBar, TopBar } from './TopBar.tsx'

// Lazy, to keep it out of the first load.
const SideMenu = lazyPart(async () => (await import('./SideMenu.tsx')).SideMenu)

interface ShellProps {
  /** Leaves out the navigation of the site. */
  plain?: boolean
  children: ReactNode
}

/** The frame around every screen: bars, menus and footer. */
export function Shell({ plain = false, children }: ShellProps) {
  const [menuOpened, menu] = useDisclosure(false)
  const cache = useQueryClient()
  // Reloads everything, since name and picture appear on nearly every screen.
  useBrowserEvent('userProfileUpdated', () => void cache.invalidateQueries())
  useFocusOfPage()
  useFocusKept()
  useFirstError()
  return (
    <div className={classes.page}>
      <a href="#content" className={classes.skip}>
        {t`Skip to content`}
      </a>
      <VisuallyHidden {...announcer} />
      {plain ? <PlainBar /> : <TopBar onMenu={menu.open} />}
      <main id="content" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <Footer plain={plain} />
      {!plain && <BottomBar onAccount={menu.open} />}
      <LazyDialog opened={menuOpened}>
        {(opened) => <SideMenu opened={opened} onClose={menu.close} />}
      </LazyDialog>
    </div>
  )
}

/** Moves the focus to the start of a new page, unless the page sets it itself. */
function useFocusOfPage() {
  // Uses resolvedLocation, since the previous page stays and keeps the focus until the new one is shown.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const shown = useRef(path)
  useEffect(() => {
    const before = shown.current
    shown.current = path
    if (before === undefined || before === path) return
    const begins = document.activeElement?.closest('main, [role="dialog"]')
    if (!begins) toPageStart()
  }, [path])
}
