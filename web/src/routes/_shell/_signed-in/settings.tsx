import { createFileRoute } from '@tanstack/react-router'
import { ownProfileQuery } from '#features/account/profiles/profiles.queries.ts'
import { AccountProfile } from './-AccountProfile.tsx'

/** An alias of /account-settings. */
export const Route = createFileRoute('/_shell/_signed-in/settings')({
  loader: ({ context: { queryClient: cache, user } }) => void cache.prefetchQuery(ownProfileQuery(user.id)),
  component: AccountProfile,
})
