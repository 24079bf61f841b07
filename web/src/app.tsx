import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { AppRouter } from './router.ts'
import { cssVariablesResolver, theme } from './ui/theme.ts'

interface AppProps {
  queryClient: QueryClient
  router: AppRouter
}

/** Everything a screen may rely on: theme, toasts (at most 3 at a time), server state, routes. */
export function App({ queryClient, router }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
        <Notifications limit={3} position="top-right" zIndex={1000} />
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>
  )
}
