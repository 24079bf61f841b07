import { t } from '@lingui/core/macro'
import { useChange } from '#lib/change.ts'
import { language } from '#lib/language.ts'
import { rpc } from '#lib/supabase.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

/** What can be reported: a person, their picture, a plan, a review or a message. */
export type Reported = 'person' | 'picture' | 'plan' | 'review' | 'message'

/** What a report says is wrong. */
export const CLAIMS = {
  fraud: t`Fraud, or no access after paying`,
  abuse: t`Insults, threats or harassment`,
  terms: t`It breaks the rules of this site`,
  rights: t`It breaks somebody’s rights, such as a trade mark or copyright`,
  children: t`It shows the sexual abuse of a child`,
  illegal: t`It is illegal in another way`,
} as const
export type Claim = keyof typeof CLAIMS

export const CLAIM_CHOICES = [
  { value: '', label: t`Please choose` },
  ...Object.entries(CLAIMS).map(([value, label]) => ({ value, label })),
]

export interface Report {
  kind: Reported
  subject: string
  claim: Claim
  body: string
  /** Only without an account; `goodFaith` states that the report is right and complete. */
  name?: string
  email?: string
  goodFaith?: boolean
}

/** Sends a report to staff. */
export const useReport = (onDone: () => void) =>
  useChange({
    run: ({ kind, subject, claim, body, name, email, goodFaith }: Report) =>
      rpc('report', {
        p_kind: kind,
        p_subject: subject,
        p_claim: claim,
        p_body: body,
        p_name: name ?? null,
        p_email: email ?? null,
        p_language: language,
        p_good_faith: goodFaith ?? null,
      }),
    done: onDone,
    failed: (problem) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
  })

export const thankForReport = () =>
  toastSuccess(t`Thank you`, t`We’ll let you know once our team has looked at it.`)
