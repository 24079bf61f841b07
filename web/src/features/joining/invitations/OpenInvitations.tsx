import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Group, List, Stack, Text, ThemeIcon, Title, Tooltip } from '@mantine/core'
import { IconMail, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { useInvitationsLive } from './invitations.live.ts'
import { mailNotes } from './invitations.messages.ts'
import { useRevokeInvitation } from './invitations.mutations.ts'
import { type OpenInvitation, openInvitationsQuery } from './invitations.queries.ts'

/** A plan's open invitations with their expiry, for the owner; renders nothing if there are none. */
export function OpenInvitations({ planId }: { planId: string }) {
  const { data: invitations = [] } = useQuery(openInvitationsQuery(planId))
  const [leaving, setLeaving] = useState<OpenInvitation | null>(null)
  const revoke = useRevokeInvitation(planId)
  const title = useId()
  useInvitationsLive(planId)

  return (
    <>
      {invitations.length > 0 && (
        <Stack component="section" gap="sm" mt="lg" aria-labelledby={title}>
          <Title order={3} size="h5" id={title}>
            {t`Invited`}
          </Title>
          <List listStyleType="none" spacing="md" styles={{ itemWrapper: { display: 'block' } }}>
            {invitations.map((invitation) => (
              <List.Item key={invitation.id}>
                <Invited invitation={invitation} onRevoke={() => setLeaving(invitation)} />
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
      <ConfirmDialog
        opened={leaving !== null}
        title={t`Withdraw this invitation?`}
        confirmLabel={t`Withdraw invitation`}
        cancelLabel={t`Keep invitation`}
        onConfirm={() => {
          if (leaving) revoke.mutate(leaving)
          setLeaving(null)
        }}
        onClose={() => setLeaving(null)}
      >
        <Trans>The link sent to {leaving?.email} stops working, and the place is free again.</Trans>
      </ConfirmDialog>
    </>
  )
}

function Invited({ invitation, onRevoke }: { invitation: OpenInvitation; onRevoke: () => void }) {
  const { email, expiresAt, mailStatus } = invitation
  return (
    <Group wrap="nowrap" gap="sm" mih={44}>
      <ThemeIcon variant="light" color="gray" radius="xl" size={44}>
        <IconMail size={20} aria-hidden />
      </ThemeIcon>
      <Stack gap={2} flex={1} miw={0}>
        <Text fw={600} lineClamp={2} style={{ overflowWrap: 'anywhere' }} title={email}>
          {email}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          <Trans>
            Place kept, expires <RelativeDate date={expiresAt} />
          </Trans>
        </Text>
        {mailStatus !== 'sent' && (
          <Text size="sm" c={mailStatus === 'failed' ? 'beet' : 'dimmed'} role="status">
            {mailNotes[mailStatus]}
          </Text>
        )}
      </Stack>
      <Tooltip label={t`Withdraw invitation`}>
        <ActionIcon color="beet" aria-label={t`Withdraw the invitation to ${email}`} onClick={onRevoke}>
          <IconX size={20} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
