import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Role } from '#domain/roles.ts'
import { RoleBadge } from '#features/staff/roles/RoleBadge.tsx'
import type { May } from '#features/staff/roles/use-role.ts'
import { addressOf } from '#lib/language.ts'
import classes from './AdminShell.module.css'
import { useAdminEntries } from './entries.ts'

/** The frame of the administration's screens: a sidebar beside the screen, or on a phone above the screen. */
export function AdminShell({ role, may, children }: { role: Role; may: May; children: ReactNode }) {
  const entries = useAdminEntries(may)
  const { pathname, search } = useLocation()
  const onSettings = pathname === '/admin' && 'tab' in search && search.tab === 'settings'
  // On a phone the entries are one scrolling line, and the current one may be out of view.
  const line = useRef<HTMLElement>(null)
  useEffect(() => {
    const here = line.current?.querySelector<HTMLElement>(`[href="${addressOf(pathname)}"]`)
    if (line.current && here)
      line.current.scrollLeft = here.offsetLeft - (line.current.clientWidth - here.offsetWidth) / 2
  }, [pathname])
  return (
    <Container size="xl" py={{ base: 'md', sm: 'lg' }} className={classes.admin}>
      <div className={classes.side}>
        <nav ref={line} aria-label={t`Administration`} className={classes.links}>
          {entries.map(({ label, to, tab, icon: Icon }) => (
            <Link
              key={label}
              to={to}
              search={tab ? { tab } : {}}
              className={classes.link}
              // Two entries link to the dashboard; the search tells which one is current.
              activeOptions={{ exact: true, includeSearch: onSettings || tab !== undefined }}
            >
              <Icon size={20} aria-hidden />
              {label}
            </Link>
          ))}
        </nav>
        <div className={classes.role}>
          {t`Current role`} <RoleBadge of={role} />
        </div>
      </div>
      <div className={classes.page}>{children}</div>
    </Container>
  )
}
