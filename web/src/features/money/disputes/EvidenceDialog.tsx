import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { rpc } from '#lib/supabase.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { type Dispute, disputeKeys, evidenceQuery } from './disputes.queries.ts'

/** The labels of the evidence fields, in the order that best suits a reader at the bank. */
const PARTS: Record<string, string> = {
  customer_name: t`Customer`,
  customer_email_address: t`Email`,
  product_description: t`What was sold`,
  service_date: t`When the service was given`,
  access_activity_log: t`What happened`,
  cancellation_policy_disclosure: t`What was said before the purchase`,
  cancellation_rebuttal: t`Why it was not cancelled`,
  refund_policy_disclosure: t`What the terms say of refunds`,
  refund_refusal_explanation: t`Why it was not refunded`,
  uncategorized_text: t`Earlier payments`,
}

/** Shows the evidence about a disputed payment and sends it to the bank. */
export function EvidenceDialog({ dispute, onClose }: { dispute: Dispute; onClose: () => void }) {
  const evidence = useQuery(evidenceQuery(dispute.id))
  const answer = useAnswer(dispute, onClose)
  useFocusReturn()
  return (
    <Dialog
      opened
      size="lg"
      onClose={() => answer.isPending || onClose()}
      title={t`Answer the chargeback of ${dispute.memberName}`}
    >
      <ActionForm
        action={t`Send to the bank`}
        busy={answer.isPending}
        disabled={!evidence.data || evidence.isFetching}
        onSubmit={() => evidence.data && answer.mutate(evidence.data.mark)}
        onCancel={onClose}
      >
        <Text c="dimmed">
          <Trans>
            The bank takes one answer, so read it first. It goes to the bank in English as it stands here. If
            you have more to say, answer at Stripe instead.
          </Trans>
        </Text>
        <Loaded
          of={evidence}
          pending={<RowsSkeleton rows={4} />}
          failed={t`The evidence could not be loaded`}
        >
          {({ evidence: said }) => (
            <Stack gap="md" lang="en">
              {Object.entries(PARTS).map(
                ([field, name]) =>
                  said[field] && (
                    <Box key={field} component="section">
                      <Title order={3} size="h6">
                        {name}
                      </Title>
                      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }} dir="auto">
                        {said[field]}
                      </Text>
                    </Box>
                  ),
              )}
            </Stack>
          )}
        </Loaded>
      </ActionForm>
    </Dialog>
  )
}

const useAnswer = ({ id }: Dispute, onDone: () => void) =>
  useChange({
    run: (mark: string) => rpc('answer_dispute', { p_dispute_id: id, p_mark: mark }),
    // Also reloaded after a refusal, since the evidence may have changed after it was loaded.
    stale: [disputeKeys.all, disputeKeys.evidence(id)],
    done: () => {
      toastSuccess(t`Answered`, t`The evidence is on its way to the bank.`)
      onDone()
    },
    failed: (problem) => toastError(t`Error`, answerOf(problem, t`The answer was not sent`)),
  })
