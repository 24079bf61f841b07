import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#ui/Loaded.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { roleTexts } from './roles.messages.ts'
import { type SystemRole, systemRolesQuery } from './roles.queries.ts'
import { SystemRoleCard } from './SystemRoleCard.tsx'

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
