import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import type { Provider } from '#domain/catalogue.ts'
import { exampleShares, popularServices } from '#domain/showcase.ts'
import { Landing } from '#features/home/landing/Landing.tsx'
import type { LandingLink } from '#features/home/landing/parts.ts'
import { shownPlansQuery } from '#features/home/landing/shown-plans.queries.ts'
import { homeQuery } from '#features/home/overview/home.queries.ts'
import { feeRateQuery } from '#features/money/payments/fee.queries.ts'
import { catalogueQuery } from '#features/plans/catalogue/catalogue.queries.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { given } from '#lib/search.ts'
import { currentSession, useSession } from '#lib/session.ts'
import { HomeScreen, HomeSkeleton } from './-home/HomeScreen.tsx'

export const Route = createFileRoute('/_shell/')({
  staticData: { reading: true },
  validateSearch: z.object({ for: given(z.enum(['join', 'share'])) }),
  // Not awaited: the page is worth reading before the services have loaded, and without them.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(catalogueQuery)
    void queryClient.prefetchQuery(feeRateQuery)
    void queryClient.prefetchQuery(shownPlansQuery)
    const session = currentSession()
    if (session.status === 'signed-in') void queryClient.prefetchQuery(homeQuery(session.user.id))
  },
  component: Home,
})

const NONE: Provider[] = []

/** Signed-in people see what waits for them, and below it, like everybody, what Potluck is. */
function Home() {
  const { for: side } = Route.useSearch()
  const session = useSession()
  const { data: providers, isError } = useQuery(catalogueQuery)
  const { data: plans } = useQuery(shownPlansQuery)
  const navigate = useNavigate()
  const known = providers ?? (isError ? NONE : undefined)
  const services = useMemo(() => known && popularServices(known, Math.random), [known])
  const { data: feeRate } = useQuery(feeRateQuery)
  const shares = useMemo(
    () => (feeRate === undefined ? [] : exampleShares(known ?? NONE, feeRate)),
    [known, feeRate],
  )
  return (
    <>
      {session.status === 'loading' && <HomeSkeleton />}
      {session.status === 'signed-in' && <HomeScreen key={session.user.id} user={session.user} side={side} />}
      <Landing
        signedIn={session.status !== 'signed-out'}
        services={services}
        shares={shares}
        plans={plans}
        onSearch={(q) => void navigate({ to: '/plans', search: { q: q || undefined } })}
        logo={ProviderLogo}
        link={AppLink}
      />
    </>
  )
}

const AppLink: LandingLink = ({ to, from, provider, plan, ...look }) => {
  if (from) return <Link to="/sign-in" search={{ from }} {...look} />
  if (provider) return <Link to="/available-subscriptions" search={{ provider }} {...look} />
  if (plan) return <Link to="/plans/$planId" params={{ planId: plan }} {...look} />
  return <Link to={to} {...look} />
}
