import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { counted } from '#domain/plural.ts'
import { isBuiltIn } from '#domain/roles.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { roleTexts } from './roles.messages.ts'
import { type SystemRole, systemRolesQuery } from './roles.queries.ts'
import classes from './SystemRoleList.module.css'

/** All roles; read-only without `onEdit`. */
export function SystemRoleList({ onEdit }: { onEdit: ((role: SystemRole) => void) | undefined }) {
  return (
    <Loaded
      of={useQuery(systemRolesQuery)}
      pending={<CardGridSkeleton cards={3} columns={1} />}
      failed={roleTexts.failed}
    >
      {({ roles }) => (
        <Stack gap="md">
          <Text c="dimmed" maw={680}>
            {roleTexts.builtIn}
          </Text>
          <Text c="dimmed" maw={680}>
            {roleTexts.custom}
          </Text>
          {!onEdit && <Text c="dimmed">{roleTexts.readOnly}</Text>}
          {roles.map((role) => (
            <SystemRoleCard key={role.id} role={role} onEdit={onEdit && (() => onEdit(role))} />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

interface SystemRoleCardProps {
  role: SystemRole
  /** Absent for those who may only read. */
  onEdit: (() => void) | undefined
}

/** A role with what it is for, how many people have it and its permissions. */
function SystemRoleCard({ role, onEdit }: SystemRoleCardProps) {
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
