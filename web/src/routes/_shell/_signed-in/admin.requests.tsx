import { createFileRoute } from '@tanstack/react-router'
import { AccessRequestScreen } from '#features/access-requests/AccessRequestScreen.tsx'
import { latestAccessRequestQuery } from '#features/access-requests/access-requests.queries.ts'

/** The form by its other address, for everybody who is signed in and not only for staff. */
export const Route = createFileRoute('/_shell/_signed-in/admin/requests')({
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(latestAccessRequestQuery(user.id))
  },
  component: AccessRequestScreen,
})
