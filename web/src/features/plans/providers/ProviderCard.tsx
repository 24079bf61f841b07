import type { ComponentProps } from 'react'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { providerTheme } from './provider-theme.ts'

type ProviderCardProps = Omit<ComponentProps<typeof SurfaceCard>, 'style'> & { provider: string }

/** A card in a provider's colours. */
export const ProviderCard = ({ provider, ...card }: ProviderCardProps) => (
  <SurfaceCard look="provider" {...card} style={providerTheme(provider).vars} />
)
