import classes from './Logo.module.css'
import { Mascot } from './Mascot.tsx'

/** The wordmark: the pot and the name. Put it inside a link or a heading. */
export function Logo({ size = 34 }: { size?: number }) {
  return (
    <span className={classes.logo}>
      <Mascot size={size} />
      <span className={classes.name} style={{ fontSize: size * 0.68 }}>
        Potluck
      </span>
    </span>
  )
}
