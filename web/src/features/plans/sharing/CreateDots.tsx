import { t } from '@lingui/core/macro'
import { UnstyledButton } from '@mantine/core'
import classes from './CreateDots.module.css'

const PARTS = [
  { part: 'renewal', label: t`Price and renewal` },
  { part: 'slots', label: t`Open slots` },
  { part: 'paid', label: t`How you’re paid` },
] as const

export type CreatePart = (typeof PARTS)[number]['part']

interface CreateDotsProps {
  part: CreatePart
  /** Whether the owner still has to give payment details. */
  asksHowPaid: boolean
  onPart: (part: CreatePart) => void
}

/** A dot for each part of the wizard's last step; pressing a dot opens its part. */
export function CreateDots({ part, asksHowPaid, onPart }: CreateDotsProps) {
  const parts = PARTS.filter((each) => each.part !== 'paid' || asksHowPaid)
  return (
    <nav className={classes.dots} aria-label={t`Parts of this step`}>
      {parts.map((each, index) => (
        <UnstyledButton
          key={each.part}
          className={classes.dot}
          aria-current={each.part === part ? 'step' : undefined}
          aria-label={t`${index + 1} of ${parts.length}: ${each.label}`}
          onClick={() => onPart(each.part)}
        />
      ))}
    </nav>
  )
}
