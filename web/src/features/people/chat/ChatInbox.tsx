import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BadgePopover } from '#ui/BadgePopover.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PopoverList } from '#ui/PopoverList.tsx'
import classes from '#ui/popover-row.module.css'
import { useUnreadLive } from './chat.live.ts'
import {
  type ChatPartner,
  type ConversationSummary,
  conversationsQuery,
  unreadQuery,
} from './chat.queries.ts'
import { useMessageDraftsLive } from './message-drafts.ts'
import { PersonChat } from './PersonChat.tsx'

/** The number of unread conversations, and a list that opens them. Mounted once, it keeps all unread marks live. */
export function ChatInbox({ userId }: { userId: string }) {
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  const { data: unread = [] } = useQuery(unreadQuery(userId))
  useUnreadLive(userId)

  return (
    <>
      <BadgePopover icon={<IconMessages size={22} />} label={t`Messages`} count={unread.length}>
        {(close) => (
          <ConversationList
            userId={userId}
            onOpen={(chosen) => {
              close()
              setPartner(chosen)
            }}
          />
        )}
      </BadgePopover>
      <PersonChat partner={partner} userId={userId} onClose={() => setPartner(null)} />
    </>
  )
}

/** A person's conversations, unread ones first. */
function ConversationList({ userId, onOpen }: { userId: string; onOpen: (partner: ChatPartner) => void }) {
  const conversations = useQuery(conversationsQuery(userId))
  useMessageDraftsLive(userId)
  return (
    <>
      <Title order={2} size="h4" px="md" py="md">
        {t`Messages`}
      </Title>
      <PopoverList
        list={conversations}
        row={(conversation) => (
          <Row key={conversation.id} conversation={conversation} onOpen={() => onOpen(conversation)} />
        )}
        empty={<EmptyState title={t`No conversations yet`}>{t`Start a chat from a plan’s page.`}</EmptyState>}
        failed={t`Failed to load conversations`}
      />
    </>
  )
}

function Row({ conversation, onOpen }: { conversation: ConversationSummary; onOpen: () => void }) {
  const { name, avatarUrl, planName, unread, archived, hasDraft } = conversation
  return (
    <UnstyledButton
      className={classes.row}
      data-unread={unread || undefined}
      style={{ alignItems: 'center' }}
      py={10}
      onClick={onOpen}
    >
      <PersonAvatar name={name} src={avatarUrl} size={40} />
      <span className={classes.text}>
        <Text component="span" display="block" size="sm" fw={unread ? 700 : 500} truncate>
          {name}
        </Text>{' '}
        <Text component="span" display="block" size="sm" c="dimmed" truncate>
          {planName}
        </Text>
      </span>{' '}
      {hasDraft && (
        <>
          <Badge component="span" size="sm" variant="light" color="clay">
            {t`Draft`}
          </Badge>{' '}
        </>
      )}
      {unread && (
        <Badge component="span" size="sm" color="clay">
          <Trans>
            New <VisuallyHidden>messages</VisuallyHidden>
          </Trans>
        </Badge>
      )}
      {archived && !unread && (
        <Badge component="span" size="sm" variant="light" color="gray">
          {t`Archived`}
        </Badge>
      )}
    </UnstyledButton>
  )
}
