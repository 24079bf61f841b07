import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import type { Provider } from '#domain/catalogue.ts'
import { exampleShares, popularServices } from '#domain/showcase.ts'
import { Landing } from '#features/home/landing/Landing.tsx'
import { LivePlans } from '#features/home/landing/LivePlans.tsx'
import type { LandingLink } from '#features/home/landing/parts.ts'
import { shownPlansQuery } from '#features/home/landing/shown-plans.queries.ts'
import { homeQuery } from '#features/home/overview/home.queries.ts'
import { catalogueQuery } from '#features/plans/catalogue/catalogue.queries.ts'
import { feeRateQuery } from '#features/plans/catalogue/fee.queries.ts'
import { given } from '#lib/search.ts'
import { currentSession, useSession } from '#lib/session.ts'
import { HomeScreen, HomeSkeleton } from './-home/HomeScreen.tsx'

export const Route = createFileRoute('/_shell/')({
  staticData: { reading: true, keepsSight: true },
  validateSearch: z.object({
    for: given(z.enum(['join', 'share'])),
    /** Shows the landing page to signed-in people too. */
    view: given(z.literal('offer')),
  }),
  loaderDeps: ({ search: { view } }) => ({ view }),
  // Not awaited: the page is useful before the providers have loaded, or without them.
  loader: ({ context: { queryClient }, deps: { view } }) => {
    const session = currentSession()
    if (session.status === 'signed-in') void queryClient.prefetchQuery(homeQuery(session.user.id))
    if (session.status !== 'signed-out' && !view) return
    void queryClient.prefetchQuery(catalogueQuery)
    void queryClient.prefetchQuery(feeRateQuery)
    void queryClient.prefetchQuery(shownPlansQuery)
  },
  component: Home,
})

/** The home page for signed-in people, the landing page for visitors. */
function Home() {
  const { for: side, view } = Route.useSearch()
  const session = useSession()
  if (session.status === 'loading' && !view) return <HomeSkeleton />
  if (session.status === 'signed-in' && !view)
    return <HomeScreen key={session.user.id} user={session.user} side={side} market={<OpenPlans />} />
  return <Offer signedIn={session.status !== 'signed-out'} />
}

const NONE: Provider[] = []

function Offer({ signedIn }: { signedIn: boolean }) {
  const { data: providers, isError } = useQuery(catalogueQuery)
  const { data: plans } = useQuery(shownPlansQuery)
  const onSearch = useMarketSearch()
  const known = providers ?? (isError ? NONE : undefined)
  const services = useMemo(() => known && popularServices(known, Math.random), [known])
  const { data: feeRate } = useQuery(feeRateQuery)
  const shares = useMemo(
    () => (feeRate === undefined ? [] : exampleShares(known ?? NONE, feeRate)),
    [known, feeRate],
  )
  return (
    <Landing
      signedIn={signedIn}
      services={services}
      shares={shares}
      plans={plans}
      onSearch={onSearch}
      link={AppLink}
    />
  )
}

/** Plans with a place, for people who have none yet. */
function OpenPlans() {
  const { data: plans = [] } = useQuery(shownPlansQuery)
  const onSearch = useMarketSearch()
  return plans.length > 0 && <LivePlans inset plans={plans} shares={[]} link={AppLink} onSearch={onSearch} />
}

function useMarketSearch() {
  const navigate = useNavigate()
  return (q: string) => void navigate({ to: '/plans', search: { q: q || undefined } })
}

const AppLink: LandingLink = ({ to, from, service, plan, ...look }) => {
  if (from) return <Link to="/sign-in" search={{ from }} {...look} />
  if (service) return <Link to="/plans" search={{ service }} {...look} />
  if (plan) return <Link to="/plans/$planId" params={{ planId: plan }} {...look} />
  return <Link to={to} {...look} />
}
