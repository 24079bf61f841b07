import type { ReactNode } from 'react'
import classes from './Sections.module.css'

interface SectionsProps {
  /** Leaves out the surface, for text that people read at length. */
  plain?: boolean
  children: ReactNode
}

/** Cards that belong together, as one surface with lines between them. */
export const Sections = ({ plain = false, children }: SectionsProps) => (
  <div className={classes.sections} data-plain={plain || undefined}>
    {children}
  </div>
)
