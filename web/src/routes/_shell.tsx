import { useDisclosure } from '@mantine/hooks'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { BottomBar } from './-shell/BottomBar.tsx'
import { Footer } from './-shell/Footer.tsx'
import { QuickActions } from './-shell/QuickActions.tsx'
import classes from './-shell/Shell.module.css'
import { SideMenu } from './-shell/SideMenu.tsx'
import { TopBar } from './-shell/TopBar.tsx'

export const Route = createFileRoute('/_shell')({ component: Shell })

function Shell() {
  const [menuOpened, menu] = useDisclosure(false)
  return (
    <div className={classes.page}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <TopBar onMenu={menu.open} />
      <main id="content" tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <Footer />
      <QuickActions />
      <BottomBar onAccount={menu.open} />
      <SideMenu opened={menuOpened} onClose={menu.close} />
    </div>
  )
}
