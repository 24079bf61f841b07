import { createFileRoute } from '@tanstack/react-router'
import { RoleRequestScreen } from '#features/staff/roles/RoleRequestScreen.tsx'
import { latestRoleRequestQuery } from '#features/staff/roles/role-requests.queries.ts'

/** The form for a role request, to which people without a staff role are redirected. */
export const Route = createFileRoute('/_shell/_signed-in/admin-request')({
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(latestRoleRequestQuery(user.id))
  },
  component: RoleRequestScreen,
})
