import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import lines from '#features/home/overview/Line.module.css'
import { Line, Lines } from '#features/home/overview/Line.tsx'
import { type ChatPartner, conversationsQuery } from '#features/people/chat/chat.queries.ts'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'

interface UnreadChatsProps {
  userId: string
  onOpen: (partner: ChatPartner) => void
  within: ComponentType<{ title: string; children: ReactNode }>
}

/** Lists the people with unread messages, if any. The inbox in the top bar keeps the list up to date. */
export function UnreadChats({ userId, onOpen, within: Part }: UnreadChatsProps) {
  const { data = [] } = useInfiniteQuery(conversationsQuery(userId))
  const unread = data.filter((one) => one.unread)
  if (unread.length === 0) return null
  return (
    <Part title={t`Unread messages`}>
      <Lines>
        {unread.map((one) => (
          <Line
            key={one.id}
            mark={<PersonAvatar name={one.name} src={one.avatarUrl} size={48} />}
            title={one.name}
            about={one.planName}
          >
            <Button
              variant="light"
              className={lines.quiet}
              aria-label={t`Read what ${one.name} wrote, ${one.planName}`}
              onClick={() => onOpen(one)}
            >
              {t`Read`}
            </Button>
          </Line>
        ))}
      </Lines>
    </Part>
  )
}
