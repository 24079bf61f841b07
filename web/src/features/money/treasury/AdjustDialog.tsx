import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { availableCoins } from '#domain/coins.ts'
import { AmountInput, type TypedAmount } from '#ui/AmountInput.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Money } from '#ui/Money.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { adjustmentOf, adjustmentRefusal, balanceAfter } from './adjustment.ts'
import { adjustmentToasts } from './treasury.messages.ts'
import { useAdjustWallet } from './treasury.mutations.ts'
import { adjustmentBoundsQuery, type UserWallet } from './treasury.queries.ts'

/** The dialog to add coins to a wallet or take some; it shows the resulting balance. */
export function AdjustDialog({ wallet, onClose }: { wallet: UserWallet; onClose: () => void }) {
  useFocusReturn()
  const [typed, setTyped] = useState<TypedAmount>('')
  const [reason, setReason] = useState('')
  const adjust = useAdjustWallet(onClose)
  const { data: bounds } = useQuery(adjustmentBoundsQuery(wallet.userId))
  const available = bounds && availableCoins(wallet.balance, bounds.withdrawals)
  const refusal = adjustmentRefusal(typed, { balance: wallet.balance, available, ceiling: bounds?.ceiling })
  const complete = typed !== '' && reason.trim() !== ''

  // A ref, since a second submit in the same tick still sees the first render's state.
  const sent = useRef(false)

  const apply = () => {
    const amount = adjustmentOf(typed)
    if (amount === null) return adjustmentToasts.invalid()
    sent.current = true
    const again = () => {
      sent.current = false
    }
    adjust.mutate({ userId: wallet.userId, amount, reason }, { onSettled: again })
  }
  return (
    <Dialog opened onClose={() => adjust.isPending || onClose()} title={t`Adjust wallet`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (complete && !sent.current) apply()
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">
            {available === undefined || available === wallet.balance ? (
              <Trans>
                <bdi>{wallet.name}</bdi> has <Money amount={wallet.balance} /> in coins.
              </Trans>
            ) : (
              <Trans>
                <bdi>{wallet.name}</bdi> has <Money amount={wallet.balance} /> in coins, of which{' '}
                <Money amount={available} /> are available and the rest is waiting to be paid out.
              </Trans>
            )}
          </Text>
          <AmountInput
            label={t`Adjustment amount`}
            description={t`Positive adds coins, negative removes them.`}
            error={refusal}
            step={0.01}
            withAsterisk
            value={typed}
            onChange={setTyped}
            data-autofocus
          />
          <Textarea
            label={t`Reason`}
            description={t`The wallet’s owner sees this.`}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={LIMITS.longestAdjustmentReason}
            withAsterisk
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="space-between" role="status">
            {refusal === null && (
              <>
                <Text fw={600}>{t`New balance`}</Text>
                <Money amount={balanceAfter(wallet.balance, typed)} fw={700} c="herb" />
              </>
            )}
          </Group>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={adjust.isPending}>
              {t`Cancel`}
            </Button>
            <Button type="submit" loading={adjust.isPending} disabled={!complete}>
              {t`Apply Adjustment`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
