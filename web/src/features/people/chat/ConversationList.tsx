import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PopoverList } from '#ui/PopoverList.tsx'
import classes from '#ui/popover-row.module.css'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useConversationsLive } from './chat.live.ts'
import { type ChatPartner, conversationsQuery, type ListedConversation } from './chat.queries.ts'
import { PersonChat } from './PersonChat.tsx'

/** The maximum number of conversations in the top bar's list; the page lists all. */
const MOST_IN_BAR = 8

function useConversations(userId: string) {
  useConversationsLive(userId)
  return useInfiniteQuery(conversationsQuery(userId))
}

interface LatestConversationsProps {
  userId: string
  onOpen: (partner: ChatPartner) => void
  onLeave: () => void
}

/** The latest conversations, with a link to all of them. */
export function LatestConversations({ userId, onOpen, onLeave }: LatestConversationsProps) {
  const list = useConversations(userId)
  return (
    <>
      <PopoverList
        list={{ ...list, data: list.data?.slice(0, MOST_IN_BAR) }}
        row={(conversation) => (
          <Row key={conversation.id} conversation={conversation} onOpen={() => onOpen(conversation)} />
        )}
        empty={<NoConversations />}
        failed={t`Failed to load conversations`}
      />
      {list.data && list.data.length > 0 && (
        <LinkButton to="/messages" variant="ghost" fullWidth onClick={onLeave}>
          {t`See all messages`}
        </LinkButton>
      )}
    </>
  )
}

/** All conversations of a person, on their page. */
export function AllConversations({ userId }: { userId: string }) {
  const list = useConversations(userId)
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  const failed = t`Failed to load conversations`
  return (
    <>
      <Loaded of={list} pending={<RowsSkeleton rows={6} />} failed={failed} empty={<NoConversations />}>
        {(conversations) => (
          <>
            <SurfaceCard p={0} style={{ overflow: 'hidden' }}>
              {conversations.map((conversation) => (
                <Row
                  key={conversation.id}
                  conversation={conversation}
                  onOpen={() => setPartner(conversation)}
                />
              ))}
            </SurfaceCard>
            <MoreRows list={list} failed={failed}>
              {t`Load earlier conversations`}
            </MoreRows>
          </>
        )}
      </Loaded>
      <PersonChat partner={partner} userId={userId} onClose={() => setPartner(null)} />
    </>
  )
}

const NoConversations = () => (
  <EmptyState order={2} title={t`No conversations yet`}>{t`Start a chat from a plan’s page.`}</EmptyState>
)

function Row({ conversation, onOpen }: { conversation: ListedConversation; onOpen: () => void }) {
  const { name, avatarUrl, planName, unread, archived, hasDraft, lastAt, lastText, lastIsOwn } = conversation
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
        {lastText !== null && (
          <>
            {' '}
            <Text component="span" display="block" size="sm" fw={unread ? 600 : 400} truncate dir="auto">
              {lastIsOwn ? t`You: ${lastText}` : lastText}
            </Text>
          </>
        )}
      </span>{' '}
      <span className={classes.end}>
        {lastAt && (
          <>
            <RelativeDate date={lastAt} size="xs" c="dimmed" />{' '}
          </>
        )}
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
      </span>
    </UnstyledButton>
  )
}
