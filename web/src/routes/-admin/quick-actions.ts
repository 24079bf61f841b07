import { t } from '@lingui/core/macro'
import { type Icon, IconStack2, IconUsers } from '@tabler/icons-react'
import type { May } from '#features/staff/roles/use-role.ts'

interface QuickAction {
  title: string
  to: string
  icon: Icon
  /** True if the role allows only a part of the page's actions. */
  limited: boolean
}

/** The overview's quick actions, marked if limited for this role. */
export const quickActions = (may: May): QuickAction[] => [
  {
    title: t`User Management`,
    to: '/admin/users',
    icon: IconUsers,
    limited: !may('roles.manage'),
  },
  {
    title: t`Subscription Moderation`,
    to: '/admin/subscriptions',
    icon: IconStack2,
    limited: !may('subscriptions.approve'),
  },
]
