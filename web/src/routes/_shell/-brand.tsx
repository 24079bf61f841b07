import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { providerTheme } from '#features/plans/providers/provider-theme.ts'
import type { Brand } from '#ui/SurfaceCard.tsx'

/** The mark of the service that a plan's name begins with, for a line of a list. */
export const planLogo = (plan: string) => <ProviderLogo provider={plan} size="line" />

const brands = new Map<string, Brand>()

/** A provider's look for the cards of other features. The same object each time, so that memoised cards do not render again. */
export function brandOf(provider: string): Brand {
  const known = brands.get(provider)
  if (known) return known
  const brand = { logo: <ProviderLogo provider={provider} size="md" />, vars: providerTheme(provider).vars }
  brands.set(provider, brand)
  return brand
}
