import { Group, Text } from '@mantine/core'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'

/** Whose row it is. */
export function Person({ name, avatarUrl }: { name: string; avatarUrl: string | null }) {
  return (
    <Group gap="sm" wrap="nowrap" ta="start">
      <PersonAvatar name={name} src={avatarUrl} />
      <Text fw={600} component="bdi" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    </Group>
  )
}
