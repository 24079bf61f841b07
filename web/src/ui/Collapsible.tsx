import { Code } from '@mantine/core'
import classes from './Collapsible.module.css'

/** Hides an id or a hash, which people rarely read but may have to copy. */
export function Collapsible({ name, children }: { name: string; children: string }) {
  return (
    <details className={classes.folded}>
      <summary>{name}</summary>
      <Code>{children}</Code>
    </details>
  )
}
