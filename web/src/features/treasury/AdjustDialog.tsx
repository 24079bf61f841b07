import { Button, Group, Modal, NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Money } from '#ui/Money.tsx'
import { adjustmentOf, balanceAfter } from './adjustment.ts'
import { adjustmentToasts, treasuryTexts } from './treasury.messages.ts'
import { useAdjustWallet } from './treasury.mutations.ts'
import type { UserWallet } from './treasury.queries.ts'

/** Adds to a wallet or takes from it, showing the balance it leads to. */
export function AdjustDialog({ wallet, onClose }: { wallet: UserWallet; onClose: () => void }) {
  const [typed, setTyped] = useState<string | number>('')
  const [reason, setReason] = useState('')
  const adjust = useAdjustWallet(onClose)
  const after = balanceAfter(wallet.balance, typed)
  const complete = typed !== '' && reason.trim() !== ''

  const apply = () => {
    const amount = adjustmentOf(typed)
    if (amount === null) adjustmentToasts.invalid()
    else adjust.mutate({ userId: wallet.userId, amount, reason })
  }
  return (
    <Modal opened onClose={() => adjust.isPending || onClose()} title="Adjust wallet">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (complete && !adjust.isPending) apply()
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">
            <bdi>{wallet.name}</bdi> has <Money amount={wallet.balance} /> in coins.
          </Text>
          <NumberInput
            label="Adjustment amount"
            description="Positive adds coins, negative takes them."
            step={0.01}
            hideControls
            decimalScale={2}
            withAsterisk
            value={typed}
            onChange={setTyped}
            data-autofocus
          />
          <Textarea
            label="Reason"
            description="The owner of the wallet reads it in the history."
            autosize
            minRows={2}
            maxRows={6}
            maxLength={480}
            withAsterisk
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="space-between" role="status">
            <Text fw={600}>New balance</Text>
            <Money amount={after} fw={700} c={after < 0 ? 'beet' : 'herb'} />
          </Group>
          {after < 0 && (
            <Text size="sm" c="beet">
              {treasuryTexts.belowZero}
            </Text>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={adjust.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={adjust.isPending} disabled={!complete}>
              Apply Adjustment
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
