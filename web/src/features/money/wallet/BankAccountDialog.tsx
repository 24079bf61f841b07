import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { MOST_PASTED } from '#domain/format-iban.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { useSaveBankAccount } from './wallet.mutations.ts'

interface BankAccountDialogProps {
  userId: string
  onClose: () => void
}

/** Asks for the bank account for withdrawals. Stays open with its input if the account is refused. */
export function BankAccountDialog({ userId, onClose }: BankAccountDialogProps) {
  const [iban, setIban] = useState('')
  const [holder, setHolder] = useState('')
  const [tried, setTried] = useState(false)
  const save = useSaveBankAccount(userId, onClose)
  useFocusReturn()
  const missing = { iban: iban.trim() === '', holder: holder.trim() === '' }
  return (
    <Dialog opened onClose={() => save.isPending || onClose()} title={t`Your bank account`}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!missing.iban && !missing.holder) save.mutate({ iban, holder })
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">
            <Trans>
              We pay your withdrawals here. It’s encrypted, and ready to use after {LIMITS.payoutDelayHours}{' '}
              hours.
            </Trans>
          </Text>
          <TextInput
            label="IBAN"
            placeholder="DE89 3704 0044 0532 0130 00"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={MOST_PASTED}
            value={iban}
            error={tried && missing.iban && t`Enter your IBAN`}
            onChange={(event) => setIban(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label={t`Account holder`}
            description={t`As it appears on your bank account`}
            autoComplete="name"
            maxLength={LIMITS.longestHolder}
            value={holder}
            error={tried && missing.holder && t`Enter the account holder`}
            onChange={(event) => setHolder(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={save.isPending}>
              {t`Not now`}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t`Save bank account`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
