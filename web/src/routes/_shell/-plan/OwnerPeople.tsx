import type { ReactNode } from 'react'
import type { PlanSeat } from '#domain/seats.ts'
import { MembersCard } from '#features/joining/memberships/MembersCard.tsx'
import { QuestionsCard } from '#features/people/chat/QuestionsCard.tsx'
import { Sections } from '#ui/Sections.tsx'
import type { PlanViewProps } from './PlanStates.tsx'

interface OwnerPeopleProps extends PlanViewProps {
  seats: readonly PlanSeat[]
  /** The join requests, unless they are shown elsewhere. */
  requests: ReactNode
}

/** The owner's section about people: questions, members and join requests. */
export function OwnerPeople({ plan, user, onChat, seats, requests }: OwnerPeopleProps) {
  return (
    <Sections>
      <QuestionsCard plan={plan} userId={user.id} onChat={onChat} />
      <MembersCard plan={plan} userId={user.id} seats={seats} onChat={onChat} />
      {requests}
    </Sections>
  )
}
