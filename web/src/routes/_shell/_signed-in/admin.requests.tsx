import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { RoleLocked } from '#features/staff/roles/RoleLocked.tsx'
import { RoleRequestList } from '#features/staff/roles/RoleRequestList.tsx'
import { RoleRequestScreen } from '#features/staff/roles/RoleRequestScreen.tsx'
import { latestRoleRequestQuery } from '#features/staff/roles/role-requests.queries.ts'
import { roleQuery } from '#features/staff/roles/roles.queries.ts'
import { useRole } from '#features/staff/roles/use-role.ts'
import { useUser } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { AdminShell } from '../../-admin/AdminShell.tsx'

/**
 * A second path of the form for role requests, for any signed-in person. Staff who decide on requests see their list
 * instead.
 */
export const Route = createFileRoute('/_shell/_signed-in/admin/requests')({
  loader: async ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(latestRoleRequestQuery(user.id))
    await cache.prefetchQuery(roleQuery(user.id))
  },
  component: RoleRequests,
})

function RoleRequests() {
  const { id } = useUser()
  const { role, isShut, may } = useRole(id)
  if (isShut) return <RoleLocked />
  if (!may('roles.manage')) return <RoleRequestScreen />
  return (
    <AdminShell userId={id} role={role} may={may}>
      <PageTitle title={t`Admin Access Requests`} />
      <RoleRequestList userId={id} mayDecide />
    </AdminShell>
  )
}
