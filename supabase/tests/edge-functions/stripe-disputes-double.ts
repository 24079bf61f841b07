// Disputes in the double of Stripe's API: they take one answer, in Stripe's fields and within its limits.
import type Stripe from 'stripe'

type Evidence = Stripe.DisputeUpdateParams.Evidence
interface Dispute {
  evidence_details?: Partial<Stripe.Dispute.EvidenceDetails> | undefined
}

/** Those of Stripe's fields that are text. */
const TEXTS: readonly (keyof Evidence)[] = [
  ...(['product_description', 'customer_name', 'customer_email_address', 'service_date'] as const),
  ...(['access_activity_log', 'refund_policy_disclosure', 'refund_refusal_explanation'] as const),
  ...(['cancellation_policy_disclosure', 'cancellation_rebuttal', 'uncategorized_text'] as const),
]

/** Takes an answer to a dispute; why not, if Stripe would refuse it. */
export function takeEvidence(dispute: Dispute, params: Record<string, string>): string | undefined {
  const { submit, ...rest } = params
  const said = Object.entries(rest)
  const lengths = said.map(([, text]) => text.length)
  if (said.some(([name]) => !TEXTS.some((field) => name === `evidence[${field}]`))) return 'parameter_unknown'
  if (Math.max(...lengths) > 20_000 || lengths.reduce((sum, one) => sum + one, 0) > 150_000)
    return 'parameter_invalid_string_too_long'
  const details = dispute.evidence_details
  if (submit !== 'true' || !details || details.submission_count !== 0) return 'dispute_evidence_submitted'
  Object.assign(details, { has_evidence: true, submission_count: 1 })
  const status: Stripe.Dispute['status'] = 'under_review'
  Object.assign(dispute, { status, evidence: rest })
  return undefined
}
