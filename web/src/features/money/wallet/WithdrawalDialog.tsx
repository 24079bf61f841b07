import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  coinsInWords,
  MINIMUM_WITHDRAWAL,
  QUICK_PERCENTS,
  quickAmount,
  withdrawalRefusal,
} from '#domain/coins.ts'
import { language } from '#lib/language.ts'
import { AmountInput, type TypedAmount } from '#ui/AmountInput.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Money } from '#ui/Money.tsx'
import { BankAccountLine } from './BankAccountLine.tsx'
import { useCoins } from './use-coins.ts'
import classes from './WithdrawalDialog.module.css'
import { walletTexts } from './wallet.messages.ts'
import { useRequestWithdrawal } from './wallet.mutations.ts'
import { bankAccountQuery } from './wallet.queries.ts'

const percents = new Intl.NumberFormat(language, { style: 'percent' })

interface WithdrawalDialogProps {
  userId: string
  opened: boolean
  onClose: () => void
}

/** The dialog to request a withdrawal. Stays open with its input if the request is refused. */
export function WithdrawalDialog({ userId, opened, onClose }: WithdrawalDialogProps) {
  const request = useRequestWithdrawal(userId, onClose)
  const close = () => {
    if (!request.isPending) onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={t`Request Withdrawal`}>
      <Stack gap="md">
        <BankAccountLine userId={userId} />
        <WithdrawalForm userId={userId} busy={request.isPending} onSend={request.mutate} onCancel={close} />
      </Stack>
    </Dialog>
  )
}

interface WithdrawalFormProps {
  userId: string
  busy: boolean
  onSend: (amount: number) => void
  onCancel: () => void
}

function WithdrawalForm({ userId, busy, onSend, onCancel }: WithdrawalFormProps) {
  const available = useCoins(userId).coins?.available ?? 0
  const [typed, setTyped] = useState<TypedAmount>('')
  const [tried, setTried] = useState(false)
  const amount = typed === '' ? Number.NaN : typed
  const hasAccount = useQuery(bankAccountQuery(userId)).data !== null
  const refusal = withdrawalRefusal(amount, available) ?? (hasAccount ? null : walletTexts.noAccount)
  const change = (value: TypedAmount) => {
    setTyped(value)
    setTried(false)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!refusal && !busy) onSend(amount)
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md">
        <Text>
          <Trans>
            Available balance: <strong>{coinsInWords(available)}</strong>
          </Trans>
        </Text>
        <AmountInput
          label={t`Amount in coins`}
          description={
            refusal ? (
              t`1 coin is 1 euro`
            ) : (
              <Trans>
                1 coin is 1 euro: you receive <Money amount={amount} fw={700} />
              </Trans>
            )
          }
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={typed}
          onChange={change}
          error={tried && refusal}
          data-autofocus
        />
        <fieldset className={classes.quick} aria-label={t`Quick amounts`}>
          {QUICK_PERCENTS.map((percent) => {
            const part = quickAmount(available, percent)
            return (
              <Button
                key={percent}
                variant="default"
                px={4}
                h={56}
                disabled={part < MINIMUM_WITHDRAWAL}
                onClick={() => change(part)}
              >
                <span className={classes.part}>
                  <span>{percents.format(percent / 100)}</span>
                  <Text span size="sm" opacity={0.7}>
                    {part} <VisuallyHidden>{plural(part, { one: 'coin', other: 'coins' })}</VisuallyHidden>
                  </Text>
                </span>
              </Button>
            )
          })}
        </fieldset>
        <Text size="sm" c="dimmed">
          {walletTexts.processing}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            {t`Not now`}
          </Button>
          <Button type="submit" loading={busy}>
            {t`Request withdrawal`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
