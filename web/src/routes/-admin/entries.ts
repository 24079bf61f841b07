import { t } from '@lingui/core/macro'
import {
  type Icon,
  IconArrowsExchange,
  IconChartBar,
  IconLayoutDashboard,
  IconListDetails,
  IconMail,
  IconServer,
  IconSettings,
  IconShieldLock,
  IconStack2,
  IconUsers,
} from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import type { Permission } from '#domain/roles.ts'
import type { May } from '#features/staff/roles/use-role.ts'
import { QUEUE_PAGES } from './queues.ts'

interface AdminEntry {
  label: string
  to: string
  /** The dashboard's tab that the entry opens. */
  tab?: 'settings'
  icon: Icon
  /** True for a page that the sidebar does not list. */
  hidden?: true
  /** Any one of these permissions opens the page; if omitted, any role does. The database decides what it shows. */
  needs?: readonly Permission[]
}

// The list of the administration's pages. An entry without a route is not shown.
const entries: AdminEntry[] = [
  { label: t`Dashboard`, to: '/admin', icon: IconLayoutDashboard },
  { ...QUEUE_PAGES.withdrawals, needs: ['users.edit'] },
  { label: t`Financials`, to: '/admin/financials', icon: IconChartBar, needs: ['users.edit'] },
  { label: t`Transfers`, to: '/admin/transfers', icon: IconArrowsExchange, needs: ['users.edit'] },
  { ...QUEUE_PAGES.problems, needs: ['users.edit'] },
  { ...QUEUE_PAGES.disputes, needs: ['users.edit'] },
  { ...QUEUE_PAGES.cases, needs: ['subscriptions.approve'] },
  { label: t`User Management`, to: '/admin/users', icon: IconUsers, needs: ['users.view'] },
  {
    label: t`Role Management`,
    to: '/admin/roles',
    icon: IconShieldLock,
    needs: ['users.edit', 'roles.manage'],
  },
  { label: t`Subscriptions`, to: '/admin/subscriptions', icon: IconStack2, needs: ['subscriptions.approve'] },
  { ...QUEUE_PAGES.mails, label: t`Emails`, icon: IconMail, needs: ['users.edit'] },
  { label: t`System`, to: '/admin/system', icon: IconServer, needs: ['users.edit'] },
  { label: t`Staff Log`, to: '/admin/log', icon: IconListDetails, needs: ['roles.manage'] },
  {
    label: t`Settings`,
    to: '/admin',
    tab: 'settings',
    icon: IconSettings,
    needs: ['users.edit', 'settings.edit'],
  },
  {
    label: t`Set up this site`,
    to: '/admin/set-up',
    icon: IconSettings,
    hidden: true,
    needs: ['settings.edit'],
  },
]

const opens = ({ needs }: AdminEntry, may: May) => needs?.some(may) ?? true

/** The sidebar's entries for a role, in order. */
export function useAdminEntries(may: May): AdminEntry[] {
  const { routesByPath } = useRouter()
  return entries.filter((entry) => !entry.hidden && entry.to in routesByPath && opens(entry, may))
}

/** True if a role may open a page of the administration. */
export function mayOpen(may: May, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '')
  return entries.every((entry) => entry.tab || entry.to !== path || opens(entry, may))
}
