import { Card, type CardProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './SurfaceCard.module.css'

interface SurfaceCardProps extends CardProps {
  /** provider: the brand's colour as an edge and a tint, not as the background. */
  look?: 'default' | 'glass' | 'gradient' | 'provider'
  /** Lifts a little on hover, for cards that lead somewhere. */
  lifts?: boolean
  /** "article" for one of many, "section" for a part of a page; a section needs a name. */
  component?: 'div' | 'article' | 'section'
  /** For links that lead right here. */
  id?: string
  tabIndex?: number
  'aria-label'?: string
  'aria-labelledby'?: string
  children: ReactNode
}

/** The surface of a card in its four looks. */
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
