import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import type { Role } from '#domain/roles.ts'
import { withDeadline } from '#lib/deadline.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 25

export const userKeys = {
  all: ['users'],
  list: (search: string) => ['users', 'list', search],
} as const

/** Somebody with an account, as staff sees them. */
export interface ListedUser {
  id: string
  name: string
  /** Null for moderators, who do not read it. */
  email: string | null
  avatarUrl: string | null
  role: Role
  /** ISO timestamp. */
  createdAt: string
}

interface UserPage {
  users: ListedUser[]
  /** Where the next page starts; absent on the last one. */
  next: ListedUser | undefined
}

type UserPages = InfiniteData<UserPage, ListedUser | null>

/** The accounts whose name holds `search`, newest first, a page after the other. For staff. */
export const usersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: userKeys.list(search),
    initialPageParam: null as ListedUser | null,
    queryFn: ({ signal, pageParam: after }) =>
      withDeadline(signal, async (until): Promise<UserPage> => {
        const from = after && { p_before: after.createdAt, p_before_id: after.id }
        const wish = { p_search: search, p_limit: PAGE_SIZE, ...from }
        const users = (await rpc('list_users', wish, until)).map(toUser)
        return { users, next: users.length < PAGE_SIZE ? undefined : users.at(-1) }
      }),
    getNextPageParam: ({ next }: UserPage) => next,
    placeholderData: (previous: UserPages | undefined) => previous,
  })

function toUser({ display_name, avatar_url, created_at, ...row }: Row): ListedUser {
  return { ...row, name: display_name, avatarUrl: avatar_url, createdAt: created_at }
}

interface Row {
  id: string
  email: string | null
  display_name: string
  avatar_url: string | null
  role: string | null
  created_at: string
}
