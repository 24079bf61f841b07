import { t } from '@lingui/core/macro'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '#lib/online.ts'
import { BadgePopover } from '#ui/BadgePopover.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useUnreadLive } from './chat.live.ts'
import { type ChatPartner, unreadQuery } from './chat.queries.ts'
import { PersonChat } from './PersonChat.tsx'

const LatestConversations = lazyPart(async () => (await import('./ConversationList.tsx')).LatestConversations)

/**
 * The button with the number of unread conversations; it opens the latest conversations. Mounted only once, since it
 * keeps all unread marks current.
 */
export function ChatInbox({ userId }: { userId: string }) {
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  const { data: unread = [] } = useQuery(unreadQuery(userId))
  useUnreadLive(userId)

  return (
    <>
      <BadgePopover icon={<IconMessages size={22} />} label={t`Messages`} count={unread.length}>
        {(close) => (
          <Suspense fallback={<RowsSkeleton rows={3} />}>
            <LatestConversations
              userId={userId}
              onLeave={close}
              onOpen={(chosen) => {
                close()
                setPartner(chosen)
              }}
            />
          </Suspense>
        )}
      </BadgePopover>
      <PersonChat partner={partner} userId={userId} onClose={() => setPartner(null)} />
    </>
  )
}
