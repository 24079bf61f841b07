import classes from './Logo.module.css'
import { Mascot } from './Mascot.tsx'

interface LogoProps {
  size?: number
  /** Hides the name on the smallest phones, where the logo shares a line with buttons. */
  sharesLine?: boolean
}

/** The wordmark: the pot and the name. Belongs inside a link or a heading. */
export function Logo({ size = 34, sharesLine = false }: LogoProps) {
  return (
    <span className={classes.logo} data-shares-line={sharesLine || undefined}>
      <Mascot size={size} />
      <span className={classes.name} style={{ fontSize: size * 0.68 }}>
        Potluck
      </span>
    </span>
  )
}
