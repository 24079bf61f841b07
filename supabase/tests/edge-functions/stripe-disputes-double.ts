// Disputes in the double of Stripe's API: each takes one answer, in Stripe's fields and within Stripe's limits; a
// chargeback that began as an inquiry takes another one.
import type Stripe from 'stripe'

type Evidence = Stripe.DisputeUpdateParams.Evidence
interface Dispute {
  status?: string | undefined
  evidence_details?: Partial<Stripe.Dispute.EvidenceDetails> | undefined
}

/** The status of an answered dispute, by the status before. */
const NEXT: Record<string, Stripe.Dispute['status']> = {
  needs_response: 'under_review',
  warning_needs_response: 'warning_under_review',
}

/** Stripe's evidence fields that are text. */
const TEXTS: readonly (keyof Evidence)[] = [
  ...(['product_description', 'customer_name', 'customer_email_address', 'service_date'] as const),
  ...(['access_activity_log', 'refund_policy_disclosure', 'refund_refusal_explanation'] as const),
  ...(['cancellation_policy_disclosure', 'cancellation_rebuttal', 'uncategorized_text'] as const),
]

/** Takes an answer to a dispute; returns Stripe's reason if it would refuse the answer. */
export function takeEvidence(dispute: Dispute, params: Record<string, string>): string | undefined {
  const { submit, ...rest } = params
  const said = Object.entries(rest)
  const lengths = said.map(([, text]) => text.length)
  if (said.some(([name]) => !TEXTS.some((field) => name === `evidence[${field}]`))) return 'parameter_unknown'
  if (Math.max(...lengths) > 20_000 || lengths.reduce((sum, one) => sum + one, 0) > 150_000)
    return 'parameter_invalid_string_too_long'
  const details = dispute.evidence_details
  const next = NEXT[dispute.status ?? '']
  if (submit !== 'true' || !details || !next) return 'dispute_evidence_submitted'
  Object.assign(details, { has_evidence: true, submission_count: (details.submission_count ?? 0) + 1 })
  Object.assign(dispute, { status: next, evidence: rest })
  return undefined
}
