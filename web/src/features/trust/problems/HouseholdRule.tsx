import { useQuery } from '@tanstack/react-query'
import { catalogueQuery } from '#features/plans/catalogue/catalogue.queries.ts'
import { RuleCard } from '#features/plans/catalogue/RuleCard.tsx'

/** What the provider of a plan allows, for a problem with the household; renders nothing for a service outside the catalogue. */
export function HouseholdRule({ planName }: { planName: string }) {
  const { data: providers = [] } = useQuery(catalogueQuery)
  const [name] = providers
    .map((provider) => provider.name)
    .filter((one) => planName.startsWith(`${one} `))
    .sort((a, b) => b.length - a.length)
  return name ? <RuleCard provider={name} plan={planName.slice(name.length + 1)} heading="h3" /> : null
}
