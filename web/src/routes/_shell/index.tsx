import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { exampleShares } from '#domain/showcase.ts'
import { catalogueQuery } from '#features/catalogue/catalogue.queries.ts'
import { ClosingCall } from '#features/landing/ClosingCall.tsx'
import { FeatureGrid } from '#features/landing/FeatureGrid.tsx'
import { Hero } from '#features/landing/Hero.tsx'
import { PopularServices, PopularServicesSkeleton } from '#features/landing/PopularServices.tsx'
import { SavingsTeaser } from '#features/landing/SavingsTeaser.tsx'
import { Statistics } from '#features/landing/Statistics.tsx'
import { ProviderLogo } from '#features/providers/ProviderLogo.tsx'
import { useSession } from '#lib/session.ts'

export const Route = createFileRoute('/_shell/')({
  staticData: { reading: true },
  // Not waited for: the page is worth reading before the services are known, and without them.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(catalogueQuery)
  },
  component: Landing,
})

function Landing() {
  const session = useSession()
  const { data: providers, isPending } = useQuery(catalogueQuery)
  const signedIn = session.status === 'signed-in'
  return (
    <>
      <Hero signedIn={signedIn} />
      {isPending && <PopularServicesSkeleton />}
      {providers && <PopularServices providers={providers} logo={ProviderLogo} />}
      {providers && session.status === 'signed-out' && (
        <SavingsTeaser shares={exampleShares(providers)} logo={ProviderLogo} />
      )}
      <FeatureGrid />
      <Statistics />
      <ClosingCall signedIn={signedIn} />
    </>
  )
}
