import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { formatMoney } from '#domain/money.ts'
import { Dialog } from '#ui/Dialog.tsx'
import type { AnsweredPayment } from './AnswerPayment.tsx'
import { usePaymentStep } from './payments.mutations.ts'

interface DenyDialogProps {
  payment: AnsweredPayment
  opened: boolean
  onClose: () => void
  onAnswered?: (() => void) | undefined
}

/** Tells the member in a sentence that their payment has not arrived. */
export function DenyDialog({ payment, opened, onClose, onAnswered }: DenyDialogProps) {
  const [note, setNote] = useState('')
  const tell = usePaymentStep(() => {
    onClose()
    onAnswered?.()
  })
  return (
    <Dialog opened={opened} onClose={() => tell.isPending || onClose()} title={t`Payment not received`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (note.trim()) tell.mutate({ payment, step: 'deny', note })
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">
            <Trans>
              We tell {payment.memberName}, and {formatMoney(payment.amount)} is due again.
            </Trans>
          </Text>
          <Textarea
            label={t`What is missing?`}
            placeholder={t`I can’t find it in my account.`}
            rows={3}
            maxLength={LIMITS.longestDenial}
            withAsterisk
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={tell.isPending}>
              {t`Cancel`}
            </Button>
            <Button type="submit" color="beet" loading={tell.isPending} disabled={!note.trim()}>
              {t`Report as missing`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
