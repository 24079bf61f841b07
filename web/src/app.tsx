import { DirectionProvider, MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense, useEffect, useLayoutEffect } from 'react'
import type { AppRouter } from './router.ts'
import { cssVariablesResolver, theme } from './ui/theme.ts'
import { settleToasts, Toasts, useToastsWanted } from './ui/toasts.ts'

interface AppProps {
  queryClient: QueryClient
  router: AppRouter
  /** Called once the app has replaced the prerendered page. */
  carryOver?: (() => void) | undefined
}

/** The root component, which provides what every screen relies on: theme, toasts, server state and routes. */
export function App({ queryClient, router, carryOver }: AppProps) {
  const toastsWanted = useToastsWanted()
  useLayoutEffect(() => carryOver?.(), [carryOver])
  useEffect(() => settleToasts(queryClient, router), [queryClient, router])
  return (
    <QueryClientProvider client={queryClient}>
      <DirectionProvider>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
          <Suspense>{toastsWanted && <Toasts />}</Suspense>
          <RouterProvider router={router} />
        </MantineProvider>
      </DirectionProvider>
    </QueryClientProvider>
  )
}
