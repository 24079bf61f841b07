import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { AccessRequestList } from '#features/staff/roles/AccessRequestList.tsx'
import { AccessRequestScreen } from '#features/staff/roles/AccessRequestScreen.tsx'
import { latestAccessRequestQuery } from '#features/staff/roles/access-requests.queries.ts'
import { RoleLocked } from '#features/staff/roles/RoleLocked.tsx'
import { roleQuery } from '#features/staff/roles/roles.queries.ts'
import { useRole } from '#features/staff/roles/use-role.ts'
import { useUser } from '#lib/session.ts'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

/** Another address of the access request form, for any signed-in person. Staff who decide see the list of requests. */
export const Route = createFileRoute('/_shell/_signed-in/admin/requests')({
  loader: async ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(latestAccessRequestQuery(user.id))
    await cache.prefetchQuery(roleQuery(user.id))
  },
  component: AccessRequests,
})

function AccessRequests() {
  const { id } = useUser()
  const { isShut, may } = useRole(id)
  if (isShut) return <RoleLocked />
  if (!may('roles.manage')) return <AccessRequestScreen />
  return (
    <Container size="md" py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/admin">{t`Back to Dashboard`}</BackLink>
      <PageTitle title={t`Admin Access Requests`} />
      <AccessRequestList userId={id} mayDecide />
    </Container>
  )
}
