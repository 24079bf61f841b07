import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PlanSeat } from '#domain/seats.ts'
import { InviteMember } from '#features/joining/invitations/InviteMember.tsx'
import { OpenInvitations } from '#features/joining/invitations/OpenInvitations.tsx'
import { MembersCard } from '#features/joining/memberships/MembersCard.tsx'
import { SeatLine } from '#features/money/payments/SeatLine.tsx'
import { CoinBalanceBadge } from '#features/money/wallet/CoinBalanceBadge.tsx'
import { AnnounceButton } from '#features/people/chat/AnnounceButton.tsx'
import { QuestionsCard } from '#features/people/chat/QuestionsCard.tsx'
import { ReviewsToWrite } from '#features/trust/reviews/ReviewsToWrite.tsx'
import { Sections } from '#ui/Sections.tsx'
import { Level } from '../-Level.tsx'
import type { PlanViewProps } from './PlanStates.tsx'

interface OwnerPeopleProps extends PlanViewProps {
  seats: readonly PlanSeat[]
  /** The join requests, unless they are shown elsewhere. */
  requests: ReactNode
  chatWith: (memberId: string, name: string, avatarUrl: string | null) => ReactNode
}

/** The owner's section about people: questions, members, requests, and reviews to write. */
export function OwnerPeople({ plan, user, onChat, seats, requests, chatWith }: OwnerPeopleProps) {
  return (
    <Sections>
      <QuestionsCard plan={plan} userId={user.id} onChat={onChat} />
      <MembersCard
        plan={plan}
        userId={user.id}
        seats={seats}
        coins={plan.settlement === 'potluck' && <CoinBalanceBadge userId={user.id} />}
        levelOf={({ userId, displayName }) => <Level userId={userId} name={displayName} />}
        seatOf={({ userId }) => <SeatLine planId={plan.id} memberId={userId} />}
        invite={
          <Group gap="xs">
            <AnnounceButton plan={plan} />
            <InviteMember plan={plan} />
          </Group>
        }
        invited={<OpenInvitations planId={plan.id} />}
        chat={({ userId, displayName, avatarUrl }) => chatWith(userId, displayName, avatarUrl)}
      />
      {requests}
      <ReviewsToWrite planId={plan.id} />
    </Sections>
  )
}
