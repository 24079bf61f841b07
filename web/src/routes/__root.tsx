import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { useSessionWatch } from '#features/auth/use-session-watch.ts'
import { NotFound } from '#ui/NotFound.tsx'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
})

function Root() {
  useSessionWatch()
  return <Outlet />
}
