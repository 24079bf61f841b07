import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { coinsInWords, MINIMUM_WITHDRAWAL } from '#domain/coins.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useDeleteAccount } from './profiles.mutations.ts'

interface DeleteAccountCardProps {
  email: string
  /** In the wallet and not on their way yet; undefined until that is known. */
  coins: number | undefined
  hasBankAccount: boolean
  /** Shows that bank account, and lets it be changed. */
  bankAccount: ReactNode
  /** Leaves the screens of a signed-in person, before the session ends. */
  onDeleted: () => Promise<void>
}

/** The way out. The database sees to it that what is left in the wallet is paid out. */
export function DeleteAccountCard({
  email,
  coins = 0,
  hasBankAccount,
  bankAccount,
  onDeleted,
}: DeleteAccountCardProps) {
  const [asking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const [giveUpCoins, setGiveUpCoins] = useState(false)
  const remove = useDeleteAccount(onDeleted)
  const isLittle = coins > 0 && coins < MINIMUM_WITHDRAWAL
  const isSettled = coins === 0 || hasBankAccount || (isLittle && giveUpCoins)
  const certain = typed.trim().toLowerCase() === email.toLowerCase()
  const close = () => {
    setAsking(false)
    setTyped('')
    setGiveUpCoins(false)
  }
  return (
    <SectionCard titleId="delete-title" title="Delete account" align="flex-start">
      <Text c="dimmed">
        You leave every plan, your own plans and chats go, and nothing names you any more. Plans of yours that
        others still have a place in are cancelled first. What is left in your wallet is paid to your bank
        account, however little. Records of past payments stay, without your name.
      </Text>
      <Button color="beet" variant="outline" onClick={() => setAsking(true)}>
        Delete my account
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Delete your account?"
        confirmLabel="Delete for good"
        cancelLabel="Keep my account"
        busy={remove.isPending}
        disabled={!certain || !isSettled}
        onConfirm={() => remove.mutate(giveUpCoins, { onError: close })}
        onClose={close}
      >
        <Stack gap="md">
          <Text>This cannot be undone.</Text>
          {coins > 0 && (
            <Stack gap={4}>
              <Text fw={600}>You have {coinsInWords(coins)} left.</Text>
              <Text size="sm">
                We pay them to your bank account after your account is gone, and write to {email} once that is
                done. If your bank sends them back, they wait for you: sign up with this address again.
              </Text>
              {bankAccount}
            </Stack>
          )}
          {isLittle && (
            <Checkbox
              label={`I give up my ${coinsInWords(coins)} instead`}
              checked={giveUpCoins}
              onChange={(event) => setGiveUpCoins(event.currentTarget.checked)}
            />
          )}
          <TextInput
            label={`Type ${email} to confirm`}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Stack>
      </ConfirmDialog>
    </SectionCard>
  )
}
