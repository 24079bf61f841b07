import type { Provider } from '#domain/catalogue.ts'
import type { ExampleShare } from '#domain/showcase.ts'
import { ClosingCall } from './ClosingCall.tsx'
import { FeatureGrid } from './FeatureGrid.tsx'
import { Hero } from './Hero.tsx'
import { LivePlans } from './LivePlans.tsx'
import { PopularServices } from './PopularServices.tsx'
import { Protection } from './Protection.tsx'
import type { LandingLink } from './parts.ts'
import { SavingsTeaser } from './SavingsTeaser.tsx'
import { Statistics } from './Statistics.tsx'
import type { ShownPlan } from './shown-plans.ts'

interface LandingProps {
  signedIn: boolean
  /** Undefined while loading. */
  services: Provider[] | undefined
  shares: ExampleShare[]
  /** Plans with a place; undefined until loaded. */
  plans: ShownPlan[] | undefined
  /** The date of the catalogue's prices; undefined if they are today's. */
  asOf?: string
  /** Searches for a plan without a page load. If absent, the form loads the results page. */
  onSearch?: (text: string) => void
  link: LandingLink
}

/** The content of the landing page between the top and bottom bars, for visitors and signed-in people. */
export function Landing({ signedIn, services, shares, plans, asOf, onSearch, link }: LandingProps) {
  return (
    <>
      <Hero signedIn={signedIn} link={link} />
      <LivePlans {...{ plans, shares, asOf, link, onSearch }} />
      <PopularServices services={services} link={link} />
      {!signedIn && <SavingsTeaser shares={shares} />}
      <FeatureGrid />
      <Protection link={link} />
      <Statistics shares={shares} />
      <ClosingCall signedIn={signedIn} link={link} />
    </>
  )
}
