import { t } from '@lingui/core/macro'
import { UnstyledButton } from '@mantine/core'
import classes from './CreateDots.module.css'

const PARTS = [
  { part: 'renewal', label: t`Price and renewal` },
  { part: 'slots', label: t`Open slots` },
] as const

export type CreatePart = (typeof PARTS)[number]['part']

interface CreateDotsProps {
  part: CreatePart
  onPart: (part: CreatePart) => void
}

/** The last step's bar in the wizard's progress, with a dot for each of its parts; pressing a dot opens its part. */
export const CreateDots = ({ part, onPart }: CreateDotsProps) => (
  <nav className={classes.dots} data-part={part} aria-label={t`Parts of this step`}>
    {PARTS.map((each, index) => (
      <UnstyledButton
        key={each.part}
        className={classes.dot}
        data-full={part === 'slots' || index === 0 || undefined}
        aria-current={each.part === part ? 'step' : undefined}
        aria-label={t`${index + 1} of ${PARTS.length}: ${each.label}`}
        onClick={() => onPart(each.part)}
      />
    ))}
  </nav>
)
