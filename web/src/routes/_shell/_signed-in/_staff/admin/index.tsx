import { Text } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { useRole } from '#features/roles/use-role.ts'
import { useUser } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { RoleBadge } from '../../../../-admin/AdminShell.tsx'

const searchSchema = z.object({
  tab: z.catch(z.optional(z.enum(['overview', 'requests', 'providers', 'settings'])), undefined),
})

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/')({
  validateSearch: searchSchema,
  component: AdminDashboard,
})

function AdminDashboard() {
  const { role } = useRole(useUser().id)
  return (
    <>
      <PageTitle title="Admin Dashboard" actions={<RoleBadge role={role} />} />
      <Text c="dimmed">
        {role === 'super-admin'
          ? 'You have full administrative privileges'
          : 'Some actions may require higher privileges'}
      </Text>
    </>
  )
}
