import { useQuery } from '@tanstack/react-query'
import { AvatarStack } from '#ui/AvatarStack.tsx'
import { membersQuery } from './memberships.queries.ts'

/** The people on a plan as a row of pictures; renders nothing until they are loaded. */
export function MembersStack({ planId }: { planId: string }) {
  const { data: members } = useQuery(membersQuery(planId))
  if (!members) return null
  const people = members.map(({ userId, displayName, avatarUrl }) => ({
    id: userId,
    name: displayName,
    avatarUrl,
  }))
  return <AvatarStack people={people} size={30} />
}
