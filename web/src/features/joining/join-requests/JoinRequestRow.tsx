import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Plan } from '#domain/plan.ts'
import { ChatButton } from '#features/people/chat/ChatButton.tsx'
import { type ChatPartner, chatPartner } from '#features/people/chat/chat.queries.ts'
import { Level } from '#features/people/person/Level.tsx'
import { ExpiryBadge } from '#ui/ExpiryBadge.tsx'
import { useMainButton } from '#ui/leads.ts'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import classes from './JoinRequestRow.module.css'
import type { PendingRequest } from './join-requests.queries.ts'

interface JoinRequestRowProps {
  request: PendingRequest
  plan: Plan
  first: boolean
  onChat: (partner: ChatPartner) => void
  /** True if there is no session, since the owner cannot answer then. */
  disabled: boolean
  onApprove: () => void
  onReject: () => void
}

/** One person's join request, with the buttons to approve and reject it. */
export function JoinRequestRow({
  request,
  plan,
  first,
  onChat,
  disabled,
  onApprove,
  onReject,
}: JoinRequestRowProps) {
  const { userId, name, email, avatarUrl, message, requestedAt, expiresInHours } = request
  const main = useMainButton('light')
  return (
    <div className={classes.request}>
      <Group gap="sm" wrap="nowrap" align="flex-start" miw={0}>
        <PersonAvatar name={name} src={avatarUrl} size={44} />
        <Stack gap={2} flex={1} miw={0}>
          <Group gap="0 8px">
            <Text fw={600} truncate>
              <bdi>{name}</bdi>
            </Text>
            <Level userId={userId} name={name} />
          </Group>
          <Text size="sm" c="dimmed" truncate>
            {email}
          </Text>
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              <Trans>
                Asked <RelativeDate date={requestedAt} />
              </Trans>
            </Text>
            <ExpiryBadge hours={expiresInHours} reader="owner" />
          </Group>
        </Stack>
      </Group>
      {message && (
        <Text component="blockquote" className={classes.message}>
          {message}
        </Text>
      )}
      <Group gap="xs" className={classes.answers}>
        <ChatButton
          partner={chatPartner(plan, userId, request)}
          userId={plan.ownerId}
          onChat={onChat}
          label={t`Ask a question`}
          quiet
        />
        <Button
          variant="default"
          px="sm"
          disabled={disabled}
          aria-label={t`Reject ${name}`}
          onClick={onReject}
        >
          {t`Reject`}
        </Button>
        <Button
          variant={first ? main : 'light'}
          color="herb"
          px="sm"
          disabled={disabled}
          aria-label={t`Approve ${name}`}
          leftSection={<IconCheck size={18} aria-hidden />}
          onClick={onApprove}
        >
          {t`Approve`}
        </Button>
      </Group>
    </div>
  )
}
