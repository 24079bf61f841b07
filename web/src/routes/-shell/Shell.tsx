import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useBrowserEvent } from '#lib/events.ts'
import { BottomBar } from './BottomBar.tsx'
import { Footer } from './Footer.tsx'
import { QuickActions } from './QuickActions.tsx'
import classes from './Shell.module.css'
import { SideMenu } from './SideMenu.tsx'
import { TopBar } from './TopBar.tsx'

/** What surrounds every screen: the bars, the menus, the footer. */
export function Shell({ children }: { children: ReactNode }) {
  const [menuOpened, menu] = useDisclosure(false)
  const cache = useQueryClient()
  // A name and a picture stand on nearly every screen (EVT-06).
  useBrowserEvent('userProfileUpdated', () => void cache.invalidateQueries())
  return (
    <div className={classes.page}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <TopBar onMenu={menu.open} />
      <main id="content" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <Footer />
      <QuickActions />
      <BottomBar onAccount={menu.open} />
      <SideMenu opened={menuOpened} onClose={menu.close} />
    </div>
  )
}
