import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { type Profile, UNNAMED } from './profiles.queries.ts'

interface ProfileViewProps {
  profile: Profile
  email: string
  /** Shown while there is no picture in the profile. */
  fallbackAvatarUrl: string | null
  onEdit: () => void
}

/** What others see, and what only the person does. */
export function ProfileView({ profile, email, fallbackAvatarUrl, onEdit }: ProfileViewProps) {
  const name = profile.displayName || UNNAMED
  const facts = [
    { label: 'Full name', value: profile.fullName },
    { label: 'Phone number', value: profile.phoneNumber },
  ]
  return (
    <Stack gap="lg">
      <Group wrap="nowrap" gap="md">
        <PersonAvatar name={name} src={profile.avatarUrl ?? fallbackAvatarUrl} size={72} />
        <Stack gap={2} miw={0}>
          <Text fw={600} size="lg" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
        </Stack>
      </Group>
      <Group gap="xl" component="dl" m={0}>
        {facts.map(({ label, value }) => (
          <Stack gap={2} key={label} miw={0}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value || 'Not given'}
            </Text>
          </Stack>
        ))}
      </Group>
      <Button
        variant="default"
        leftSection={<IconPencil size={18} />}
        onClick={onEdit}
        style={{ alignSelf: 'flex-start' }}
      >
        Edit profile
      </Button>
    </Stack>
  )
}
