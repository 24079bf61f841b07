import { Card, type CardProps } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import classes from './SurfaceCard.module.css'

interface SurfaceCardProps extends CardProps {
  /** `provider` shows the brand's colour as an edge and a tint, not as the background. */
  look?: 'default' | 'glass' | 'gradient' | 'provider'
  /** Lifts a little on hover, for cards that lead somewhere. */
  lifts?: boolean
  /** "article" for one of many, "section" for a part of a page; a section needs a name. */
  component?: 'div' | 'article' | 'section'
  /** The target of links to this card. */
  id?: string
  ref?: Ref<HTMLDivElement>
  tabIndex?: number
  'aria-label'?: string
  'aria-labelledby'?: string
  children: ReactNode
}

export function SurfaceCard({
  look = 'default',
  lifts = false,
  component = 'div',
  children,
  ...card
}: SurfaceCardProps) {
  return (
    <Card
      {...card}
      component={component}
      className={classes.surface}
      data-look={look}
      data-lifts={lifts || undefined}
    >
      {children}
    </Card>
  )
}
