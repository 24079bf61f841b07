import { t } from '@lingui/core/macro'
import { Card, Container } from '@mantine/core'
import {
  IconBell,
  IconChevronRight,
  IconEyeOff,
  IconPlug,
  IconShieldLock,
  IconStar,
  IconUser,
  IconWallet,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { Sections } from '#ui/Sections.tsx'
import { usePhone } from '#ui/use-phone.ts'
import classes from './-AccountSettings.module.css'

const SECTIONS = [
  { to: '/account-settings', title: t`Profile`, icon: IconUser },
  {
    to: '/account-settings/standing',
    title: t`Standing and reviews`,
    icon: IconStar,
  },
  {
    to: '/account-settings/money',
    title: t`Money`,
    icon: IconWallet,
  },
  {
    to: '/account-settings/notifications',
    title: t`Notifications`,
    icon: IconBell,
  },
  {
    to: '/account-settings/security',
    title: t`Security`,
    icon: IconShieldLock,
  },
  {
    to: '/account-settings/elsewhere',
    title: t`Your data, elsewhere`,
    icon: IconPlug,
  },
  {
    to: '/account-settings/privacy',
    title: t`Privacy and data`,
    icon: IconEyeOff,
  },
] as const

interface AccountSettingsProps {
  title: string
  /** The page above, for a page below a section. */
  under?: { to: (typeof SECTIONS)[number]['to'] | '/account-settings/programs'; title: string }
  children: ReactNode
}

/**
 * A page with one section of the account settings, beside the list of all sections. On a phone, only the first page has
 * the list.
 */
export function AccountSettings({ title, under, children }: AccountSettingsProps) {
  const phone = usePhone()
  const { pathname } = useLocation()
  // The first section has two paths.
  const own = pathname === '/settings' ? '/account-settings' : pathname
  const here = under ? '/account-settings/elsewhere' : own
  const isFirst = here === '/account-settings'
  return (
    <Container size="md" py={{ base: 'md', sm: 'lg' }}>
      {under && <BackLink to={under.to}>{under.title}</BackLink>}
      <PageTitle title={phone && isFirst ? t`Account Settings` : title} />
      <div className={classes.page}>
        {!phone && <Places here={here} />}
        <Sections>{children}</Sections>
        {phone && isFirst && (
          <Card py="xs">
            <Places here={here} />
          </Card>
        )}
      </div>
    </Container>
  )
}

function Places({ here }: { here: string }) {
  const phone = usePhone()
  return (
    <nav aria-label={t`Account Settings`} className={classes.sections}>
      {SECTIONS.filter(({ to }) => !phone || to !== here).map(({ to, title, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.section}
          activeOptions={{ exact: true }}
          data-here={to === here || undefined}
          inactiveProps={to === here ? { 'aria-current': 'page' } : {}}
        >
          <Icon size={22} aria-hidden />
          <span>{title}</span>
          {phone && <IconChevronRight size={18} aria-hidden />}
        </Link>
      ))}
    </nav>
  )
}
