import { t } from '@lingui/core/macro'
import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Member } from '#domain/members.ts'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'

interface PersonRowProps {
  member: Member
  isSelf: boolean
  /** A line under the name. */
  children?: ReactNode
  actions?: ReactNode
}

/** One person on a plan, with their role. */
export function PersonRow({ member, isSelf, children, actions }: PersonRowProps) {
  return (
    <Group wrap="nowrap" gap="sm" mih={44} align="flex-start">
      <PersonAvatar name={member.displayName} src={member.avatarUrl} size={44} />
      <Stack gap={2} flex={1} miw={0}>
        <Group gap="0 6px" miw={0}>
          <Text fw={600} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{member.displayName}</bdi>
          </Text>
          {member.isOwner && (
            <Badge variant="light" color="honey" flex="none">
              {t`Owner`}
            </Badge>
          )}
          {isSelf && (
            <Badge variant="light" color="gray" flex="none">
              {t`You`}
            </Badge>
          )}
        </Group>
        {children && (
          <Text size="sm" c="dimmed" component="div">
            {children}
          </Text>
        )}
      </Stack>
      {actions && (
        <Group gap={4} wrap="nowrap">
          {actions}
        </Group>
      )}
    </Group>
  )
}
