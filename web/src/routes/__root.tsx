import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { useSessionWatch } from '#features/auth/use-session-watch.ts'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { NotFound } from '#ui/NotFound.tsx'
import { Shell } from './-shell/Shell.tsx'

export const Route = createRootRouteWithContext<{
  queryClient: QueryClient
  connect: () => Promise<unknown>
}>()({
  beforeLoad: async ({ context, matches }) => {
    if (!matches.at(-1)?.staticData.reading) await context.connect()
  },
  component: Root,
  errorComponent: (failure) => (
    <Shell>
      <LoadFailure {...failure} />
    </Shell>
  ),
  notFoundComponent: () => (
    <Shell>
      <NotFound />
    </Shell>
  ),
})

function Root() {
  useSessionWatch()
  return <Outlet />
}
