import { t } from '@lingui/core/macro'
import { Button, Container, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Role } from '#domain/roles.ts'
import { useStaffQueuesLive } from '#features/staff/queues/queues.live.ts'
import { staffQueuesQuery } from '#features/staff/queues/queues.queries.ts'
import { RoleBadge } from '#features/staff/roles/RoleBadge.tsx'
import type { May } from '#features/staff/roles/use-role.ts'
import { CountBadge } from '#ui/CountBadge.tsx'
import classes from './AdminShell.module.css'
import { useAdminEntries } from './entries.ts'
import { waitingAt } from './queues.ts'

/** The entry that is marked on pages without an entry of their own. */
const PARENTS = [
  ['/admin/people/', t`User Management`],
  ['/admin/tax-report', t`Settings`],
  ['/admin/requests', t`Dashboard`],
] as const

interface AdminShellProps {
  userId: string
  role: Role
  may: May
  children: ReactNode
}

/** The frame of the administration's screens: a sidebar beside the screen, or on a phone a menu above it. */
export function AdminShell({ userId, role, may, children }: AdminShellProps) {
  const { data: queues = [] } = useQuery(staffQueuesQuery(userId))
  useStaffQueuesLive(userId)
  const entries = useAdminEntries(may)
  const { pathname, search } = useLocation()
  const parent = PARENTS.find(([path]) => pathname.startsWith(path))?.[1]
  const onSettings = pathname === '/admin' && 'tab' in search && search.tab === 'settings'
  const narrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false })
  const [opened, { toggle, close }] = useDisclosure()
  return (
    <Container py={{ base: 'md', sm: 'lg' }} className={classes.admin}>
      <div className={classes.side}>
        {narrow && (
          <Button
            variant="default"
            fullWidth
            justify="space-between"
            rightSection={<IconChevronDown size={18} aria-hidden />}
            aria-expanded={opened}
            onClick={toggle}
          >
            {t`Administration`}
          </Button>
        )}
        {(!narrow || opened) && (
          <nav aria-label={t`Administration`} className={classes.links}>
            {entries.map(({ label, to, tab, icon: Icon }) => (
              <Link
                key={label}
                to={to}
                search={tab ? { tab } : {}}
                className={classes.link}
                inactiveProps={label === parent ? { 'aria-current': 'true' } : {}}
                // Two entries link to the dashboard; the search parameters tell which one is current.
                activeOptions={{ exact: true, includeSearch: onSettings || tab !== undefined }}
                onClick={close}
              >
                <Icon size={20} aria-hidden />
                {label}
                <Waiting count={tab ? 0 : waitingAt(to, queues)} />
              </Link>
            ))}
            <span className={classes.role}>
              {t`Current role`} <RoleBadge of={role} />
            </span>
          </nav>
        )}
      </div>
      <div className={classes.page}>{children}</div>
    </Container>
  )
}

function Waiting({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <>
      <CountBadge count={count} className={classes.count} aria-hidden />
      <VisuallyHidden>{t`${count} waiting`}</VisuallyHidden>
    </>
  )
}
