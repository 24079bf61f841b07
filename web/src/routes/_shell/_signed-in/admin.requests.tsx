import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { RoleLocked } from '#features/staff/roles/RoleLocked.tsx'
import { RoleRequestList } from '#features/staff/roles/RoleRequestList.tsx'
import { RoleRequestScreen } from '#features/staff/roles/RoleRequestScreen.tsx'
import { latestRoleRequestQuery } from '#features/staff/roles/role-requests.queries.ts'
import { roleQuery } from '#features/staff/roles/roles.queries.ts'
import { useRole } from '#features/staff/roles/use-role.ts'
import { useUser } from '#lib/session.ts'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

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
  const { isShut, may } = useRole(id)
  if (isShut) return <RoleLocked />
  if (!may('roles.manage')) return <RoleRequestScreen />
  return (
    <Container size="md" py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/admin">{t`Back to Dashboard`}</BackLink>
      <PageTitle title={t`Admin Access Requests`} />
      <RoleRequestList userId={id} mayDecide />
    </Container>
  )
}
