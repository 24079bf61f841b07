import type { Provider } from '#domain/catalogue.ts'
import type { ExampleShare } from '#domain/showcase.ts'
import { ClosingCall } from './ClosingCall.tsx'
import { FeatureGrid } from './FeatureGrid.tsx'
import { Hero } from './Hero.tsx'
import { PopularServices } from './PopularServices.tsx'
import type { LandingLink, ServiceLogo } from './parts.ts'
import { SavingsTeaser } from './SavingsTeaser.tsx'
import { Statistics } from './Statistics.tsx'

interface LandingProps {
  signedIn: boolean
  /** Undefined while they are on their way. */
  services: Provider[] | undefined
  shares: ExampleShare[]
  logo: ServiceLogo
  link: LandingLink
}

/** The landing page between the bars, for visitors and for signed-in people. */
export function Landing({ signedIn, services, shares, logo, link }: LandingProps) {
  return (
    <>
      <Hero signedIn={signedIn} link={link} />
      <PopularServices signedIn={signedIn} services={services} logo={logo} link={link} />
      {!signedIn && <SavingsTeaser shares={shares} logo={logo} />}
      <FeatureGrid />
      <Statistics />
      <ClosingCall signedIn={signedIn} link={link} />
    </>
  )
}
