import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Provider } from '#domain/catalogue.ts'
import { exampleShares, popularServices } from '#domain/showcase.ts'
import { catalogueQuery } from '#features/catalogue/catalogue.queries.ts'
import { Landing } from '#features/landing/Landing.tsx'
import type { LandingLink } from '#features/landing/parts.ts'
import { ProviderLogo } from '#features/providers/ProviderLogo.tsx'
import { useSession } from '#lib/session.ts'

export const Route = createFileRoute('/_shell/')({
  staticData: { reading: true },
  // Not waited for: the page is worth reading before the services are known, and without them.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(catalogueQuery)
  },
  component: Home,
})

const NONE: Provider[] = []

function Home() {
  const session = useSession()
  const { data: providers, isError } = useQuery(catalogueQuery)
  const known = providers ?? (isError ? NONE : undefined)
  const services = useMemo(() => known && popularServices(known, Math.random), [known])
  const shares = useMemo(() => exampleShares(known ?? NONE), [known])
  return (
    <Landing
      signedIn={session.status !== 'signed-out'}
      services={services}
      shares={shares}
      logo={ProviderLogo}
      link={AppLink}
    />
  )
}

const AppLink: LandingLink = ({ to, from, provider, ...look }) => {
  if (from) return <Link to="/sign-in" search={{ from }} {...look} />
  if (provider) return <Link to="/available-subscriptions" search={{ provider }} {...look} />
  return <Link to={to} {...look} />
}
