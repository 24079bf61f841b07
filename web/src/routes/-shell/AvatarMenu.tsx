import { t } from '@lingui/core/macro'
import { ActionIcon, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconLanguage, IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { chooseLanguage } from '#features/account/profiles/own-language.ts'
import { ownNameQuery } from '#features/account/profiles/profiles.queries.ts'
import { useRole } from '#features/staff/roles/use-role.ts'
import { language, languages } from '#lib/language.ts'
import { languageName } from '#lib/language-choice.ts'
import type { User } from '#lib/session.ts'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { logOut } from './log-out.ts'
import { useNavigation } from './navigation.ts'
import { SchemeItems } from './SchemeSwitch.tsx'
import classes from './Shell.module.css'

/** The account menu in the top bar. */
export function AvatarMenu({ user }: { user: User }) {
  const { isStaff } = useRole(user.id)
  const { data: person } = useQuery(ownNameQuery(user))
  const { avatar } = useNavigation('signed-in', isStaff)
  const name = person?.name ?? user.email

  return (
    <Menu
      position="bottom-end"
      width={260}
      radius="lg"
      shadow="md"
      offset={6}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ActionIcon radius="xl">
          <VisuallyHidden>{t`Your menu`}</VisuallyHidden>
          <PersonAvatar name={name} src={person?.avatarUrl} size={36} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.scheme}>
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {user.email}
          </Text>
        </div>
        <Menu.Divider />
        {avatar.map(({ label, to, icon: Icon }) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={18} />}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <SchemeItems />
        <LanguageItems userId={user.id} />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={18} />} onClick={() => void logOut()}>
          {t`Log out`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Chooses the language, as part of the account menu. */
function LanguageItems({ userId }: { userId: string }) {
  if (languages.length < 2) return null
  return (
    <Menu.Sub position="left-start">
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconLanguage size={18} />}>{t`Language`}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <Menu.RadioGroup value={language} onChange={(code) => void chooseLanguage(code, userId)}>
          {languages.map((code) => (
            <Menu.RadioItem key={code} value={code} lang={code}>
              {languageName(code)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
