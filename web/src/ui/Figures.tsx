import { Card } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import classes from './Figures.module.css'

interface FiguresProps {
  /** The number of figures side by side if there is room; two on a phone. */
  columns: number
  /** "div" for figures that are sections of the page. */
  component?: 'dl' | 'div'
  /** True inside a card, whose surface the figures then share. */
  flat?: boolean
  children: ReactNode
}

/** Large figures on one surface, separated by lines. */
export const Figures = ({ columns, component = 'dl', flat = false, children }: FiguresProps) => (
  <Card
    component={component}
    p={0}
    m={0}
    className={classes.figures}
    {...(flat && { bg: 'none', shadow: 'none', withBorder: false, radius: 0 })}
    style={{ '--columns': columns } as CSSProperties}
  >
    {children}
  </Card>
)

interface FigureProps {
  label: string
  figure: ReactNode
  /** A few words on how the figure is made up. */
  children?: ReactNode
}

/** One figure, below its label. */
export const Figure = ({ label, figure, children }: FigureProps) => (
  <div>
    <dt className={classes.label}>{label}</dt>
    <dd className={classes.value}>
      <span className={classes.figure}>{figure}</span>
      {children && <span className={classes.about}>{children}</span>}
    </dd>
  </div>
)
