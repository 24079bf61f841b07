import { Box, type BoxProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './HeadingRow.module.css'

interface HeadingRowProps extends Pick<BoxProps, 'mb'> {
  /** Buttons, a link or a badge at the end of the line. */
  aside?: ReactNode
  align?: 'center' | 'flex-end'
  children: ReactNode
}

/** A heading and its buttons in one line. If they do not fit, the buttons fill a line below the heading. */
export const HeadingRow = ({ aside, align = 'center', mb = 0, children }: HeadingRowProps) => (
  <Box className={classes.row} mb={mb} style={{ alignItems: align }}>
    <div className={classes.heading}>{children}</div>
    {aside && <div className={classes.aside}>{aside}</div>}
  </Box>
)
