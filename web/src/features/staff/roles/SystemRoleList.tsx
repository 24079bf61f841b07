import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { roleTexts } from './roles.messages.ts'
import { type SystemRole, systemRolesQuery } from './roles.queries.ts'
import { SystemRoleCard } from './SystemRoleCard.tsx'

/** All roles; without `onEdit` to read only. */
export function SystemRoleList({ onEdit }: { onEdit: ((role: SystemRole) => void) | undefined }) {
  const { data, error, refetch } = useQuery(systemRolesQuery)
  if (error && !data)
    return <LoadAlert title={roleTexts.failed} problem={error} onRetry={() => void refetch()} />
  if (!data) return <CardGridSkeleton cards={3} columns={1} />
  return (
    <Stack gap="md">
      <Text c="dimmed" maw={680}>
        {roleTexts.builtIn}
      </Text>
      <Text c="dimmed" maw={680}>
        {roleTexts.custom}
      </Text>
      {!onEdit && <Text c="dimmed">{roleTexts.readOnly}</Text>}
      {data.roles.map((role) => (
        <SystemRoleCard key={role.id} role={role} onEdit={onEdit && (() => onEdit(role))} />
      ))}
    </Stack>
  )
}
