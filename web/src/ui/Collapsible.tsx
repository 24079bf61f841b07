import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Collapsible.module.css'

/** Details that few people open. */
export function Collapsible({ name, children }: { name: string; children: ReactNode }) {
  return (
    <details className={classes.folded}>
      <summary>{name}</summary>
      {children}
    </details>
  )
}

/** Hides an id or a hash, which people rarely read but may have to copy. */
export function CollapsibleCode({ name, children }: { name: string; children: string }) {
  return (
    <Collapsible name={name}>
      <Code>{children}</Code>
    </Collapsible>
  )
}
