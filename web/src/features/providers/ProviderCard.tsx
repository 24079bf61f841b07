import { Card, type CardProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ProviderCard.module.css'
import { providerTheme } from './provider-theme.ts'

interface ProviderCardProps extends CardProps {
  provider: string
  children: ReactNode
}

/** A card in the "provider" variant: the brand colour as a 4 px edge and a tint, never as a flood. (MYSUB-16) */
export function ProviderCard({ provider, children, className, ...look }: ProviderCardProps) {
  const classNames = className ? `${classes.card} ${className}` : classes.card
  return (
    <Card {...look} className={classNames} style={providerTheme(provider).vars}>
      {children}
    </Card>
  )
}
