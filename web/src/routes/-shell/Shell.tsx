import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useBrowserEvent } from '#lib/events.ts'
import { lazyPart } from '#lib/online.ts'
import { useFocusKept } from '#ui/use-focus-kept.ts'
import { BottomBar } from './BottomBar.tsx'
import { Footer } from './Footer.tsx'
import classes from './Shell.module.css'
import { TopBar } from './TopBar.tsx'

// Not on the way to the first sight of the page: it loads when somebody opens it.
const SideMenu = lazyPart(async () => (await import('./SideMenu.tsx')).SideMenu)

/** What surrounds every screen: the bars, the menus, the footer. */
export function Shell({ children }: { children: ReactNode }) {
  const [menuOpened, menu] = useDisclosure(false)
  const [menuWanted, setMenuWanted] = useState(false)
  const cache = useQueryClient()
  // A name and a picture stand on nearly every screen.
  useBrowserEvent('userProfileUpdated', () => void cache.invalidateQueries())
  const main = useFocusOfPage()
  useFocusKept()
  const openMenu = () => {
    setMenuWanted(true)
    menu.open()
  }
  return (
    <div className={classes.page}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <TopBar onMenu={openMenu} />
      <main ref={main} id="content" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <Footer />
      <BottomBar onAccount={openMenu} />
      <Suspense>{menuWanted && <SideMenu opened={menuOpened} onClose={menu.close} />}</Suspense>
    </div>
  )
}

/** A keyboard goes on at the beginning of a page it has led to, unless the page says where to begin. */
function useFocusOfPage() {
  const main = useRef<HTMLElement>(null)
  // Once the page is there: until then the one before it stays, and holds the focus.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const shown = useRef(path)
  useEffect(() => {
    const before = shown.current
    shown.current = path
    if (before === undefined || before === path) return
    const begins = document.activeElement?.closest('main, [role="dialog"]')
    if (!begins) main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
