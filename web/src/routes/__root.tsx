import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { type ForeignSession, takeForeignSession } from '#features/account/auth/foreign-session.ts'
import { useSessionWatch } from '#features/account/auth/use-session-watch.ts'
import { useAgeRequest } from '#lib/age.ts'
import { useNameRequest } from '#lib/name.ts'
import { onceOnline } from '#lib/online.ts'
import { useProofRequest } from '#lib/proof.ts'
import { useSellerRequest } from '#lib/seller.ts'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { NotFound } from '#ui/NotFound.tsx'
import { Shell } from './-shell/Shell.tsx'

const Questions = lazy(() => onceOnline(() => import('./-Questions.tsx')))

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
  const proof = useProofRequest()
  const name = useNameRequest()
  const seller = useSellerRequest()
  const age = useAgeRequest()
  const [foreign, setForeign] = useState<ForeignSession | null>(null)
  useEffect(() => setForeign((known) => takeForeignSession() ?? known), [])
  return (
    <>
      <Outlet />
      <Suspense>
        {(proof || name || seller || age || foreign) && (
          <Questions proof={proof} name={name} seller={seller} age={age} foreign={foreign} />
        )}
      </Suspense>
    </>
  )
}
