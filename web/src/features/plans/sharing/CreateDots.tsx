import { UnstyledButton } from '@mantine/core'
import classes from './CreateDots.module.css'

const PARTS = [
  { part: 'renewal', label: 'Price and renewal' },
  { part: 'slots', label: 'Open slots' },
  { part: 'paid', label: 'How you’re paid' },
] as const

export type CreatePart = (typeof PARTS)[number]['part']

interface CreateDotsProps {
  part: CreatePart
  /** Whether the owner still has to say how they are paid. */
  asksHowPaid: boolean
  onPart: (part: CreatePart) => void
}

/** The dots of the last step. */
export function CreateDots({ part, asksHowPaid, onPart }: CreateDotsProps) {
  const parts = PARTS.filter((each) => each.part !== 'paid' || asksHowPaid)
  return (
    <nav className={classes.dots} aria-label="Parts of this step">
      {parts.map((each, index) => (
        <UnstyledButton
          key={each.part}
          className={classes.dot}
          aria-current={each.part === part ? 'step' : undefined}
          aria-label={`${index + 1} of ${parts.length}: ${each.label}`}
          onClick={() => onPart(each.part)}
        />
      ))}
    </nav>
  )
}
