import { plural, t } from '@lingui/core/macro'
import { MEASURES, type Measure } from '#features/account/decisions/decisions.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'
import type { Case, Outcome } from './cases.queries.ts'

export const caseTexts = {
  listFailed: t`The cases could not be loaded`,
  logged: t`The staff log shows that you read it.`,
  unfounded: (count: number) =>
    plural(count, { one: '# earlier report led to nothing', other: '# earlier reports led to nothing' }),
} as const

/** What a case is, as its heading says it; `name` is whom it is about or, for a question, who asks. */
export const caseTitle = ({
  kind,
  personName,
  writerName,
}: Pick<Case, 'kind' | 'personName' | 'writerName'>) => {
  const name = (kind === 'question' ? writerName : personName) ?? t`Someone who has left`
  return {
    question: t`From ${name}`,
    appeal: t`Appeal by ${name}`,
    person: t`About ${name}`,
    picture: t`Picture of ${name}`,
    plan: t`Plan of ${name}`,
    review: t`Review by ${name}`,
    message: t`Message by ${name}`,
  }[kind]
}

export const OUTCOMES: Record<Outcome, string> = {
  ...MEASURES,
  answered: t`Answered`,
  none: t`Closed without action`,
  upheld: t`Decision upheld`,
  reversed: t`Decision taken back`,
}

/** What follows from each measure, shown before it is taken. */
export const EFFECTS: Partial<Record<Measure, (name: string) => string>> = {
  warned: (name) => t`Nothing else happens. ${name} gets your reasons here and by email.`,
  'plan-hidden': (name) =>
    t`No one new can find or join it; its members keep their places. ${name} gets your reasons here and by email.`,
  'review-hidden': (name) => t`No one can read it any more. ${name} gets your reasons here and by email.`,
  'message-removed': (name) => t`No one can read it any more. ${name} gets your reasons here and by email.`,
  'picture-removed': (name) => t`The picture is removed. ${name} gets your reasons here and by email.`,
  suspended: (name) =>
    t`${name} can’t sign in, and their plans are hidden. If it is not lifted in time, their places end, and what was paid for the time since goes back. ${name} gets your reasons by email.`,
}

export const caseToasts = {
  closed: (name: string | null) => toastSuccess(t`Closed`, name ? t`We’ve told ${name}.` : undefined),
  failed: (problem: unknown) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
}
