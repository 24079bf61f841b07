import { t } from '@lingui/core/macro'
import {
  type Icon,
  IconBuildingBank,
  IconCreditCardRefund,
  IconFlag,
  IconLifebuoy,
  IconMailOff,
  IconPuzzle,
  IconShieldLock,
  IconStack2,
} from '@tabler/icons-react'
import type { QueueKind, StaffQueue } from '#features/staff/queues/queues.queries.ts'

interface QueuePage {
  label: string
  to: string
  /** Shows only the cases: a tab of the dashboard, or a filter. */
  search?: { tab: 'requests' | 'providers' } | { status: 'pending' }
  icon: Icon
}

/** The number of cases that wait behind a link of the administration's menu. */
export const waitingAt = (to: string, queues: readonly StaffQueue[]): number =>
  queues.reduce((sum, { kind, waiting }) => sum + (QUEUE_PAGES[kind].to === to ? waiting : 0), 0)

/** The page where staff work through each kind of case. */
export const QUEUE_PAGES: Record<QueueKind, QueuePage> = {
  withdrawals: { label: t`Withdrawals`, to: '/admin/withdrawals', icon: IconBuildingBank },
  cases: { label: t`Cases`, to: '/admin/cases', icon: IconFlag },
  problems: { label: t`Problems`, to: '/admin/problems', icon: IconLifebuoy },
  disputes: { label: t`Disputes`, to: '/admin/disputes', icon: IconCreditCardRefund },
  plans: { label: t`New plans`, to: '/admin/subscriptions', search: { status: 'pending' }, icon: IconStack2 },
  'provider-requests': {
    label: t`Provider requests`,
    to: '/admin',
    search: { tab: 'providers' },
    icon: IconPuzzle,
  },
  'role-requests': {
    label: t`Admin Access Requests`,
    to: '/admin',
    search: { tab: 'requests' },
    icon: IconShieldLock,
  },
  mails: { label: t`Undelivered emails`, to: '/admin/mails', icon: IconMailOff },
}
