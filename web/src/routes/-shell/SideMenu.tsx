import { t } from '@lingui/core/macro'
import { Divider, Drawer, Group, NavLink, Stack, Text } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ownNameQuery } from '#features/account/profiles/profiles.queries.ts'
import { useRole } from '#features/staff/roles/use-role.ts'
import { type User, useSession } from '#lib/session.ts'
import { Logo } from '#ui/Logo.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { LanguageSelect } from './LanguageSelect.tsx'
import { logOut } from './log-out.ts'
import { HERE, type NavEntry, useNavigation } from './navigation.ts'
import { SchemeSwitch } from './SchemeSwitch.tsx'

interface SideMenuProps {
  opened: boolean
  onClose: () => void
}

/** The slide-in menu on a phone: all pages and the account. */
export function SideMenu({ opened, onClose }: SideMenuProps) {
  const session = useSession()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="min(340px, 88vw)"
      title={<Logo size={30} />}
      closeButtonProps={{ 'aria-label': t`Close menu`, size: 44 }}
      hiddenFrom="sm"
    >
      {session.status === 'signed-in' ? (
        <SignedInMenu user={session.user} onClose={onClose} />
      ) : (
        <SignedOutMenu onClose={onClose} />
      )}
    </Drawer>
  )
}

function SignedInMenu({ user, onClose }: { user: User; onClose: () => void }) {
  const { isStaff } = useRole(user.id)
  const { data: person } = useQuery(ownNameQuery(user))
  const { top, avatar } = useNavigation('signed-in', isStaff)
  const name = person?.name ?? user.email
  // Shows a page that is in both lists only once.
  const own = avatar.filter(({ label }) => !top.some((entry) => entry.label === label))

  return (
    <Stack gap="xs">
      <Group wrap="nowrap" mb="xs">
        <PersonAvatar name={name} src={person?.avatarUrl} size={44} />
        <div style={{ minWidth: 0 }}>
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {user.email}
          </Text>
        </div>
      </Group>
      <MenuLinks entries={[...top, ...own]} onClose={onClose} />
      <Divider />
      <SchemeSwitch />
      <LanguageSelect userId={user.id} />
      <Divider />
      <NavLink
        component="button"
        mih={44}
        label={t`Log out`}
        leftSection={<IconLogout size={20} />}
        onClick={() => {
          onClose()
          void logOut()
        }}
      />
    </Stack>
  )
}

function SignedOutMenu({ onClose }: { onClose: () => void }) {
  const { top } = useNavigation('signed-out')
  return (
    <Stack gap="xs">
      <MenuLinks entries={top} onClose={onClose} />
      <Divider />
      <SchemeSwitch />
      <LanguageSelect />
    </Stack>
  )
}

function MenuLinks({ entries, onClose }: { entries: NavEntry[]; onClose: () => void }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label={t`Menu`}>
      {entries.map(({ label, to, covers, icon: Icon }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={label}
          mih={44}
          leftSection={<Icon size={20} />}
          onClick={onClose}
          inactiveProps={covers && pathname.startsWith(covers) ? HERE : {}}
        />
      ))}
    </nav>
  )
}
