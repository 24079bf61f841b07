import { Button, Checkbox, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useDeleteAccount } from './profiles.mutations.ts'

interface DeleteAccountCardProps {
  email: string
  /** Leaves the screens of a signed-in person, before the session ends. */
  onDeleted: () => Promise<void>
}

/** The way out. What is owed either way is settled first, which the database sees to. */
export function DeleteAccountCard({ email, onDeleted }: DeleteAccountCardProps) {
  const [asking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const [giveUpCoins, setGiveUpCoins] = useState(false)
  const remove = useDeleteAccount(onDeleted)
  const certain = typed.trim().toLowerCase() === email.toLowerCase()
  const close = () => {
    setAsking(false)
    setTyped('')
    setGiveUpCoins(false)
  }
  return (
    <SurfaceCard component="section" aria-labelledby="delete-title">
      <Stack gap="md" align="flex-start">
        <Title order={2} id="delete-title">
          Delete account
        </Title>
        <Text c="dimmed">
          You leave every plan, your own plans and chats go, and nothing names you any more. Plans that others
          still share with you, and coins you can withdraw, come first. Records of past payments stay, without
          your name.
        </Text>
        <Button color="beet" variant="outline" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </Stack>
      <ConfirmDialog
        opened={asking}
        title="Delete your account?"
        confirmLabel="Delete for good"
        cancelLabel="Keep my account"
        busy={remove.isPending}
        disabled={!certain}
        onConfirm={() => remove.mutate(giveUpCoins, { onError: close })}
        onClose={close}
      >
        <Stack gap="md">
          <Text>This cannot be undone.</Text>
          <TextInput
            label={`Type ${email} to confirm`}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Checkbox
            label="I give up coins that are too few to withdraw"
            checked={giveUpCoins}
            onChange={(event) => setGiveUpCoins(event.currentTarget.checked)}
          />
        </Stack>
      </ConfirmDialog>
    </SurfaceCard>
  )
}
