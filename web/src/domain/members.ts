/** Who belongs to a plan, in which order, and what they are called. */

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

/** PLAN-12: owner first, then earliest joined. */
export function inListOrder(members: readonly Member[]): Member[] {
  return [...members].sort(
    (a, b) => Number(b.isOwner) - Number(a.isOwner) || Date.parse(a.joinedAt) - Date.parse(b.joinedAt),
  )
}

/** ROLE-09: what a person is to a plan; ownership wins over a membership row. */
export function relationTo(
  ownsPlan: boolean,
  userId: string,
  members: readonly Pick<Member, 'userId'>[],
): Relation {
  if (ownsPlan) return 'owner'
  return members.some((member) => member.userId === userId) ? 'member' : 'none'
}

/** PLAN-17: the first letters of the first and last word, at most two; "?" for a nameless person. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return picked.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase('en') ?? '').join('') || '?'
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** VALID-16: only ids of this shape are looked up among the profiles. */
export function isUserId(id: string): boolean {
  return UUID.test(id)
}
