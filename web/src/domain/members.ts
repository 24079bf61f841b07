/** The members of a plan, their order and their names. */

export interface Member {
  userId: string
  name: string
  displayName: string
  email: string
  avatarUrl: string | null
  isOwner: boolean
  isAdmin: boolean
  /** ISO timestamp. */
  joinedAt: string
}

export type Relation = 'owner' | 'member' | 'none'

/** Owner first, then earliest joined. */
export function inListOrder(members: readonly Member[]): Member[] {
  return [...members].sort(
    (a, b) => Number(b.isOwner) - Number(a.isOwner) || Date.parse(a.joinedAt) - Date.parse(b.joinedAt),
  )
}

/** A person's relation to a plan; ownership wins over a membership row. */
export function relationTo(
  ownsPlan: boolean,
  userId: string,
  members: readonly Pick<Member, 'userId'>[],
): Relation {
  if (ownsPlan) return 'owner'
  return members.some((member) => member.userId === userId) ? 'member' : 'none'
}
