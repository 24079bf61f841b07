import { Code } from '@mantine/core'
import classes from './Folded.module.css'

/** An id or a hash in a collapsed part: rarely read, but sometimes copied. */
export function Folded({ name, children }: { name: string; children: string }) {
  return (
    <details className={classes.folded}>
      <summary>{name}</summary>
      <Code>{children}</Code>
    </details>
  )
}
