import { Button, Group } from '@mantine/core'
import { useAcceptInvitation, useDeclineInvitation } from './invitations.mutations.ts'
import type { OfferedPlace } from './invitations.queries.ts'

interface InvitationAnswersProps {
  token: string
  userId: string
  invitation: OfferedPlace
  onJoined: () => void
}

/** The two answers of the invited person. */
export function InvitationAnswers({ token, userId, invitation, onJoined }: InvitationAnswersProps) {
  const accept = useAcceptInvitation(token, userId, invitation, onJoined)
  const decline = useDeclineInvitation(token)
  const busy = accept.isPending || decline.isPending
  return (
    <Group gap="sm" grow>
      <Button variant="default" disabled={busy} onClick={() => decline.mutate()}>
        Decline
      </Button>
      <Button disabled={busy} loading={accept.isPending} onClick={() => accept.mutate()}>
        Accept
      </Button>
    </Group>
  )
}
