import { createFileRoute } from '@tanstack/react-router'
import { AccessRequestScreen } from '#features/staff/roles/AccessRequestScreen.tsx'
import { latestAccessRequestQuery } from '#features/staff/roles/access-requests.queries.ts'

/** Where people without access to the admin area are sent. */
export const Route = createFileRoute('/_shell/_signed-in/admin-request')({
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(latestAccessRequestQuery(user.id))
  },
  component: AccessRequestScreen,
})
