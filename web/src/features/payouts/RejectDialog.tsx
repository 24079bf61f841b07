import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Money } from '#ui/Money.tsx'
import type { PayoutDecision } from './payouts.mutations.ts'
import type { Payout } from './payouts.queries.ts'

interface RejectDialogProps {
  payout: Payout
  busy: boolean
  onDecide: (decision: PayoutDecision) => void
  onClose: () => void
}

/** Refuses a withdrawal with the reason its requester will read. */
export function RejectDialog({ payout, busy, onDecide, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState('')
  return (
    <Modal opened onClose={() => busy || onClose()} title="Reject withdrawal">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim()) onDecide({ to: 'rejected', reason })
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">
            <Money amount={payout.amount} fw={600} c="var(--mantine-color-text)" /> stay in the wallet of{' '}
            <bdi>{payout.displayName}</bdi>, who can use the coins again and is told why. This cannot be
            undone.
            {payout.status === 'processing' && ' Make sure first that the bank has not paid the money out.'}
          </Text>
          <Textarea
            label="Rejection reason"
            autosize
            minRows={3}
            maxRows={8}
            maxLength={500}
            withAsterisk
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={busy}>
              Cancel
            </Button>
            <Button type="submit" color="beet" loading={busy} disabled={!reason.trim()}>
              Reject Withdrawal
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
