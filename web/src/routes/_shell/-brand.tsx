import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { providerTheme } from '#features/plans/providers/provider-theme.ts'
import type { Brand } from '#ui/SurfaceCard.tsx'

/** The logo of a plan's provider, found by the plan's name, for a line of a list. */
export const planLogo = (plan: string) => <ProviderLogo provider={plan} size="line" />

const brands = new Map<string, Brand>()

/** A provider's look for cards. Returns the same object each time, so that memoised cards do not render again. */
export function brandOf(provider: string): Brand {
  const known = brands.get(provider)
  if (known) return known
  const brand = { logo: <ProviderLogo provider={provider} size="md" />, vars: providerTheme(provider).vars }
  brands.set(provider, brand)
  return brand
}
