import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { type FormEvent, useState } from 'react'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { trimEmail } from '#domain/text.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { EmailInput } from '#ui/EmailInput.tsx'
import { useInvite } from './invitations.mutations.ts'

interface InviteMemberDialogProps {
  plan: Plan
  opened: boolean
  onClose: () => void
}

/** Asks for the e-mail address to invite. Stays open until the mail has been sent. */
export default function InviteMemberDialog({ plan, opened, onClose }: InviteMemberDialogProps) {
  const [email, setEmail] = useState('')
  const { mutate, isPending } = useInvite(plan.id, () => {
    setEmail('')
    onClose()
  })
  const close = () => {
    if (!isPending) onClose()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(trimEmail(email))
  }
  return (
    <Dialog opened={opened} onClose={close} title={t`Invite Member`}>
      <form onSubmit={send}>
        <Stack gap="md">
          <Text c="dimmed">
            <Trans>
              We email them a link and keep a place in {plan.provider} {planName(plan.name)} for{' '}
              <Plural value={LIMITS.invitationLifetimeHours / 24} one="# day" other="# days" />.
            </Trans>
          </Text>
          <EmailInput
            required
            withAsterisk={false}
            autoComplete="off"
            placeholder="name@example.com"
            value={email}
            readOnly={isPending}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} disabled={isPending}>
              {t`Cancel`}
            </Button>
            <Button type="submit" disabled={isPending || trimEmail(email) === ''}>
              {isPending ? t`Sending...` : t`Send Invitation`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
