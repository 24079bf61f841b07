import { createFileRoute, Outlet } from '@tanstack/react-router'
import classes from './-shell.module.css'

export const Route = createFileRoute('/_shell')({ component: Shell })

function Shell() {
  return (
    <div className={classes.page}>
      <main className={classes.main}>
        <Outlet />
      </main>
    </div>
  )
}
