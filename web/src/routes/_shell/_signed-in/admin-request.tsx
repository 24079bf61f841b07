import { createFileRoute } from '@tanstack/react-router'
import { AccessRequestScreen } from '#features/staff/roles/AccessRequestScreen.tsx'
import { latestAccessRequestQuery } from '#features/staff/roles/access-requests.queries.ts'

/** The form to request access to the admin area, to which people without access are redirected. */
export const Route = createFileRoute('/_shell/_signed-in/admin-request')({
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(latestAccessRequestQuery(user.id))
  },
  component: AccessRequestScreen,
})
