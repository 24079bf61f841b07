import { ProviderLogo } from '#features/providers/ProviderLogo.tsx'
import { providerTheme } from '#features/providers/provider-theme.ts'
import type { Brand } from '#ui/SurfaceCard.tsx'

/** What cards of other features wear for a provider. */
export function brandOf(provider: string): Brand {
  return { logo: <ProviderLogo provider={provider} size="md" />, vars: providerTheme(provider).vars }
}
