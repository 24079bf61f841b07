import { t } from '@lingui/core/macro'
import { UnstyledButton } from '@mantine/core'
import classes from './CreateDots.module.css'

const PARTS = [
  { part: 'renewal', label: t`Price and renewal` },
  { part: 'slots', label: t`Open slots` },
] as const

export type CreatePart = (typeof PARTS)[number]['part']

interface CreateDotsProps {
  /** Null before the last step. */
  part: CreatePart | null
  onPart: (part: CreatePart) => void
}

/** A dot for each part of the last step, at the end of the wizard's progress; pressing a dot opens its part. */
export function CreateDots({ part, onPart }: CreateDotsProps) {
  if (!part)
    return (
      <span className={classes.dots} aria-hidden="true">
        {PARTS.map((each) => (
          <span key={each.part} className={classes.dot} />
        ))}
      </span>
    )
  return (
    <nav className={classes.dots} aria-label={t`Parts of this step`}>
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
}
