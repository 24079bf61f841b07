import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { useSessionWatch } from '#features/auth/use-session-watch.ts'
import { NotFound } from '#ui/NotFound.tsx'
import { Shell } from './-shell/Shell.tsx'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
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
