import { useQuery } from '@tanstack/react-query'
import { BlockedNotice } from '#features/people/blocks/BlockPerson.tsx'
import { blockedQuery } from '#features/people/blocks/blocks.queries.ts'
import { ChatDialog } from '#features/people/chat/ChatDialog.tsx'
import type { ChatPartner } from '#features/people/chat/chat.queries.ts'
import { ChatAside } from '#features/trust/problems/ChatAside.tsx'
import { Level } from './-Level.tsx'

interface PersonChatProps {
  /** Null closes the dialog. */
  partner: ChatPartner | null
  userId: string
  onClose: () => void
}

/** The chat with a person, with their level and a link to report a problem. */
export function PersonChat({ partner, userId, onClose }: PersonChatProps) {
  const { data: blocked } = useQuery({ ...blockedQuery, enabled: partner !== null })
  const parties = partner?.parties
  const otherId = parties?.ownerId === userId ? parties.memberId : (parties?.ownerId ?? '')
  const isBlocked = blocked?.some((one) => one.userId === otherId)
  return (
    <ChatDialog
      partner={partner}
      partnerId={otherId}
      userId={userId}
      onClose={onClose}
      about={partner && <Level userId={otherId} name={partner.name} />}
      aside={(open) => <ChatAside parties={open.parties} userId={userId} onLeave={onClose} />}
      closed={isBlocked && partner && <BlockedNotice userId={otherId} name={partner.name} />}
    />
  )
}
