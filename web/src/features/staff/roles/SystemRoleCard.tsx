import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useId } from 'react'
import { counted } from '#domain/plural.ts'
import { isBuiltIn } from '#domain/roles.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import type { SystemRole } from './roles.queries.ts'
import classes from './SystemRoleCard.module.css'

interface SystemRoleCardProps {
  role: SystemRole
  /** Absent for those who may only read. */
  onEdit: (() => void) | undefined
}

/** A role with what it is for, how many people have it and its permissions. */
export function SystemRoleCard({ role, onEdit }: SystemRoleCardProps) {
  const { name, description, usersCount, permissions } = role
  const title = useId()
  return (
    <SurfaceCard component="article" aria-labelledby={title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
          <div className={classes.words}>
            <Title order={2} fz="h3" id={title}>
              <bdi>{name}</bdi>
            </Title>
            <Text size="sm" c="dimmed">
              {isBuiltIn(name) && 'Built in · '}
              {counted(usersCount, 'user')}
            </Text>
          </div>
          {onEdit && (
            <Button
              variant="default"
              leftSection={<IconPencil size={18} aria-hidden />}
              aria-label={`Edit ${name}`}
              style={{ flexShrink: 0 }}
              onClick={onEdit}
            >
              Edit
            </Button>
          )}
        </Group>
        {description && (
          <Text className={classes.words} dir="auto">
            {description}
          </Text>
        )}
        {permissions.length === 0 ? (
          <Text size="sm" c="dimmed">
            No permissions
          </Text>
        ) : (
          <ul className={classes.permissions} aria-label="Permissions">
            {permissions.map((permission) => (
              <Badge
                key={permission}
                component="li"
                variant="light"
                color="gray"
                tt="none"
                size="lg"
                fw={500}
              >
                {permission}
              </Badge>
            ))}
          </ul>
        )}
      </Stack>
    </SurfaceCard>
  )
}
