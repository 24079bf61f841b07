import {
  type Icon,
  IconArrowsExchange,
  IconBuildingBank,
  IconChartBar,
  IconCreditCardRefund,
  IconFlag,
  IconLayoutDashboard,
  IconLifebuoy,
  IconListDetails,
  IconMessageStar,
  IconSettings,
  IconShieldLock,
  IconStack2,
  IconUsers,
} from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { isAdmin, isStaff, isSuperAdmin, type Role } from '#domain/roles.ts'

interface AdminEntry {
  label: string
  to: string
  /** The tab of the dashboard that it opens. */
  tab?: 'settings'
  icon: Icon
  /** Whether a role may open it; the database decides about what is on it. */
  allows: (role: Role) => boolean
}

// The one definition of what the administration consists of. An entry shows up once the page behind it exists.
const entries: AdminEntry[] = [
  { label: 'Dashboard', to: '/admin', icon: IconLayoutDashboard, allows: isStaff },
  { label: 'Withdrawals', to: '/admin/withdrawals', icon: IconBuildingBank, allows: isAdmin },
  { label: 'Financials', to: '/admin/financials', icon: IconChartBar, allows: isAdmin },
  { label: 'Transfers', to: '/admin/transfers', icon: IconArrowsExchange, allows: isAdmin },
  { label: 'Problems', to: '/admin/problems', icon: IconLifebuoy, allows: isAdmin },
  { label: 'Disputes', to: '/admin/disputes', icon: IconCreditCardRefund, allows: isAdmin },
  { label: 'Reviews', to: '/admin/reviews', icon: IconMessageStar, allows: isStaff },
  { label: 'Reports', to: '/admin/reports', icon: IconFlag, allows: isStaff },
  { label: 'User Management', to: '/admin/users', icon: IconUsers, allows: isStaff },
  { label: 'Role Management', to: '/admin/roles', icon: IconShieldLock, allows: isAdmin },
  { label: 'Subscriptions', to: '/admin/subscriptions', icon: IconStack2, allows: isStaff },
  { label: 'Staff Log', to: '/admin/log', icon: IconListDetails, allows: isSuperAdmin },
  { label: 'Settings', to: '/admin', tab: 'settings', icon: IconSettings, allows: isAdmin },
]

/** What the sidebar lists for a role, in this order. */
export function useAdminEntries(role: Role): AdminEntry[] {
  const { routesByPath } = useRouter()
  return entries.filter(({ to, allows }) => to in routesByPath && allows(role))
}

/** Whether a role may open an address of the administration. */
export function mayOpen(role: Role, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '')
  return entries.every(({ to, tab, allows }) => tab || to !== path || allows(role))
}
