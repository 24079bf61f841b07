import { Card, Container, Text } from '@mantine/core'
import {
  IconBell,
  IconChevronRight,
  IconEyeOff,
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
  { to: '/account-settings', title: 'Profile', text: 'Your name and picture', icon: IconUser },
  {
    to: '/account-settings/standing',
    title: 'Standing and reviews',
    text: 'How others see you',
    icon: IconStar,
  },
  {
    to: '/account-settings/money',
    title: 'Money',
    text: 'How you’re paid and how you pay',
    icon: IconWallet,
  },
  {
    to: '/account-settings/notifications',
    title: 'Notifications',
    text: 'What we tell you, and where',
    icon: IconBell,
  },
  {
    to: '/account-settings/security',
    title: 'Security',
    text: 'Password, passkeys and devices',
    icon: IconShieldLock,
  },
  {
    to: '/account-settings/privacy',
    title: 'Privacy and data',
    text: 'Blocked people, your data, deleting your account',
    icon: IconEyeOff,
  },
] as const

/** One section of the account settings. The others are listed beside it, or, on a phone, on the first page alone. */
export function AccountSettings({ title, children }: { title: string; children: ReactNode }) {
  const phone = usePhone()
  const { pathname } = useLocation()
  // One screen has two addresses.
  const here = pathname === '/settings' ? '/account-settings' : pathname
  const isFirst = here === '/account-settings'
  return (
    <Container size="md" py={{ base: 'md', sm: 'lg' }}>
      {phone && !isFirst && <BackLink to="/account-settings">Account Settings</BackLink>}
      <PageTitle title={phone && isFirst ? 'Account Settings' : title} />
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
    <nav aria-label="Account Settings" className={classes.sections}>
      {SECTIONS.filter(({ to }) => !phone || to !== here).map(({ to, title, text, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.section}
          activeOptions={{ exact: true }}
          data-here={to === here || undefined}
          inactiveProps={to === here ? { 'aria-current': 'page' } : {}}
        >
          <Icon size={22} aria-hidden />
          <span>
            {title}
            {phone && (
              <Text span display="block" size="sm" c="dimmed">
                {text}
              </Text>
            )}
          </span>
          {phone && <IconChevronRight size={18} aria-hidden />}
        </Link>
      ))}
    </nav>
  )
}
