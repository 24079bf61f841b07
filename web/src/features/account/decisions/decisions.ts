import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { haveWords, inOurWords } from '#features/account/notifications/words.ts'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const GROUNDS = {
  terms: t`Terms of this site`,
  law: t`Law`,
  provider: t`Terms of the provider`,
} as const
export type Ground = keyof typeof GROUNDS

/** The texts that state the facts in every language, by the section of the terms that they concern; `own` has none. */
export const BLOCKS = {
  own: { label: t`In my own words`, clause: '' },
  sharing: { label: t`Shared against the provider’s terms`, clause: '2' },
  'no-access': { label: t`Paid, but no access`, clause: '3' },
  outside: { label: t`Around the ways this site protects`, clause: '3' },
  untrue: { label: t`Something untrue`, clause: '3' },
  insult: { label: t`Insults or threats`, clause: '3' },
  'private-data': { label: t`Private data`, clause: '3' },
  advert: { label: t`Advertising`, clause: '3' },
  rights: { label: t`Somebody else’s rights`, clause: '3' },
} as const
export type Block = keyof typeof BLOCKS

/** The reasons of a decision: what it is based on, the section or law, and the facts. */
export interface Reasons {
  ground: Ground
  clause: string
  block: Block
  facts: string
}

export type Measure =
  | 'warned'
  | 'plan-rejected'
  | 'plan-hidden'
  | 'plan-made-private'
  | 'provider-closed'
  | 'review-hidden'
  | 'message-removed'
  | 'picture-removed'
  | 'suspended'
  | 'payouts-held'

/** What was done, in a few words. */
export const MEASURES: Record<Measure, string> = {
  warned: t({ message: 'Warned', context: 'a person' }),
  'plan-rejected': t`Plan not approved`,
  'plan-hidden': t`Plan hidden`,
  'plan-made-private': t`Plan made private`,
  'provider-closed': t`Plan takes nobody new`,
  'review-hidden': t`Review hidden`,
  'message-removed': t`Message removed`,
  'picture-removed': t`Picture removed`,
  suspended: t`Suspended`,
  'payouts-held': t`Payouts held`,
}

interface Draft extends Reasons {
  measure: Measure
  /** The name of the plan, or of the person whom the review is about. */
  subject: string
  /** ISO; null if it has no end. */
  until: string | null
}

/** Returns a decision as the person reads it, in the page's language. */
export const sayDecision = ({ clause, until, facts, subject, ...draft }: Draft): string =>
  inOurWords('decision', {
    ...draft,
    ...{ plan: subject, person: subject },
    ...{ facts, more: facts !== '', clause: clause || '…' },
    ends: until !== null,
    // Without an end that has to be given, nothing is said yet.
    ...(until !== null && { until }),
  }).message ?? ''

const decisionSchema = z.object({
  params: z.looseObject({ reported: z.boolean() }),
  decided_at: z.string(),
  appeal_by: z.string(),
  undone_at: z.nullable(z.string()),
  appeal: z.nullable(z.string()),
  appealed_at: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  answered_at: z.nullable(z.string()),
})

const key = (decision: string) => ['decision', decision] as const

/** A decision about the person, by its id or by the secret of a mailed link. */
export const decisionQuery = (decision: string) =>
  query({
    key: key(decision),
    load: async (signal) => {
      const [[row]] = await Promise.all([rpc('get_decision', { p_key: decision }, signal), haveWords()])
      const { params, ...rest } = decisionSchema.parse(row)
      return { ...rest, reported: params.reported, ...inOurWords('decision', params) }
    },
  })

/** Appeals against a decision, once. */
export const useAppeal = (decision: string) =>
  useChange({
    run: (body: string) => rpc('appeal_decision', { p_key: decision, p_body: body }),
    fresh: [key(decision)],
    done: () => toastSuccess(t`Appeal sent`, t`We’ll write to you what we decide.`),
    failed: (problem) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
  })
