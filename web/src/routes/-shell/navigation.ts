import { t } from '@lingui/core/macro'
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconChartPie,
  IconCirclePlus,
  IconDoorEnter,
  IconHelpCircle,
  IconHome,
  IconInfoCircle,
  IconLayoutDashboard,
  IconMessagePlus,
  IconPigMoney,
  IconSearch,
  IconShieldCog,
  IconStack2,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'

export interface NavEntry {
  label: string
  to: string
  icon: Icon
  /** A prefix of other paths for which the entry is also marked as current. */
  covers?: string
}

type Audience = 'signed-in' | 'signed-out'

// The list of navigation entries. An entry without a route is not shown.
const topBar: Record<Audience, NavEntry[]> = {
  'signed-in': [
    { label: t`Home`, to: '/', icon: IconHome },
    { label: t`My Subscriptions`, to: '/my-subscriptions', icon: IconStack2 },
    { label: t`Browse Plans`, to: '/available-subscriptions', icon: IconSearch, covers: '/plans' },
    { label: t`My Savings`, to: '/my-savings', icon: IconPigMoney },
  ],
  'signed-out': [
    { label: t`Home`, to: '/', icon: IconHome },
    { label: t`Plans`, to: '/plans', icon: IconSearch },
    { label: t`About`, to: '/about', icon: IconInfoCircle },
    { label: t`Sign In`, to: '/signin', icon: IconDoorEnter },
    { label: t`Sign Up`, to: '/signup', icon: IconUserPlus },
  ],
}

const bottomBar: Record<Audience, NavEntry[]> = {
  'signed-in': [
    { label: t`Home`, to: '/', icon: IconHome },
    { label: t`Plans`, to: '/my-subscriptions', icon: IconStack2 },
    { label: t`Create`, to: '/create', icon: IconCirclePlus },
    // Opens the side menu, which contains the account pages.
    { label: t`Account`, to: '#account', icon: IconUser },
  ],
  'signed-out': [
    { label: t`Home`, to: '/', icon: IconHome },
    { label: t`Sign In`, to: '/signin', icon: IconDoorEnter },
    { label: t`Sign Up`, to: '/signup', icon: IconUserPlus },
    { label: t`About`, to: '/about', icon: IconInfoCircle },
  ],
}

const avatarMenu: NavEntry[] = [
  { label: t`Dashboard`, to: '/dashboard', icon: IconLayoutDashboard },
  { label: t`My Savings`, to: '/my-savings', icon: IconPigMoney },
  { label: t`Savings Insights`, to: '/savings-insights', icon: IconChartPie },
  { label: t`Provider Requests`, to: '/my-provider-requests', icon: IconMessagePlus },
  { label: t`Account Settings`, to: '/account-settings', icon: IconAdjustmentsHorizontal },
  { label: t`Help`, to: '/help', icon: IconHelpCircle },
]

const staffMenu: NavEntry[] = [{ label: t`Admin Dashboard`, to: '/admin', icon: IconShieldCog }]

const quickActions: NavEntry[] = [
  { label: t`Create Plan`, to: '/create', icon: IconCirclePlus },
  { label: t`Join Plan`, to: '/available-subscriptions', icon: IconSearch },
  { label: t`My Savings`, to: '/savings', icon: IconPigMoney },
]

const footer: (Omit<NavEntry, 'icon'> & { isLegal?: true })[] = [
  { label: t`Dashboard`, to: '/home' },
  { label: t`Browse Plans`, to: '/plans' },
  { label: t`How It Works`, to: '/about' },
  { label: t`Help`, to: '/help' },
  { label: t`Open Books`, to: '/books' },
  { label: t`Report something`, to: '/report', isLegal: true },
  { label: t`Privacy`, to: '/privacy', isLegal: true },
  { label: t`Terms`, to: '/terms', isLegal: true },
  { label: t`Accessibility`, to: '/accessibility', isLegal: true },
  { label: t`Imprint`, to: '/imprint', isLegal: true },
]

/** Navigation for visitors, for the prerendered landing page, which has no router. */
export const visitorNavigation = { top: topBar['signed-out'], bottom: bottomBar['signed-out'], footer }

/** The attributes of a link to the current page, for links that the router does not mark. */
export const HERE = { 'aria-current': 'page', 'data-status': 'active' } as const

/** Navigation for one audience, without entries that have no route. */
export function useNavigation(audience: Audience, isStaff = false) {
  const { routesByPath } = useRouter()
  return useMemo(() => {
    const exists = ({ to }: { to: string }) => to.startsWith('#') || to in routesByPath
    return {
      top: topBar[audience].filter(exists),
      bottom: bottomBar[audience].filter(exists),
      avatar: [...avatarMenu, ...(isStaff ? staffMenu : [])].filter(exists),
      quick: quickActions.filter(exists),
      footer: footer.filter(exists),
    }
  }, [routesByPath, audience, isStaff])
}
