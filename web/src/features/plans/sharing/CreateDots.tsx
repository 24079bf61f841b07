import { UnstyledButton } from '@mantine/core'
import classes from './CreateDots.module.css'

const PARTS = [
  { part: 'renewal', label: 'Price and renewal' },
  { part: 'slots', label: 'Open slots' },
] as const

export type CreatePart = (typeof PARTS)[number]['part']

interface CreateDotsProps {
  part: CreatePart
  onPart: (part: CreatePart) => void
}

/** The two dots of the last step. */
export function CreateDots({ part, onPart }: CreateDotsProps) {
  return (
    <nav className={classes.dots} aria-label="Parts of this step">
      {PARTS.map((each, index) => (
        <UnstyledButton
          key={each.part}
          className={classes.dot}
          aria-current={each.part === part ? 'step' : undefined}
          aria-label={`${index + 1} of ${PARTS.length}: ${each.label}`}
          onClick={() => onPart(each.part)}
        />
      ))}
    </nav>
  )
}
