import { Group, Text } from '@mantine/core'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import type { Holder } from './treasury.queries.ts'

/** The person whose row it is. */
export function Person({ userId, name, avatarUrl }: Holder) {
  return (
    <Group gap="sm" wrap="nowrap" ta="start">
      <PersonAvatar name={name} src={avatarUrl} />
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        <PersonLink staff userId={userId} name={name} />
      </Text>
    </Group>
  )
}
