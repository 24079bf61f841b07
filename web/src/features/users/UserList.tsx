import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { UserCard } from './UserCard.tsx'
import { userTexts, userToasts } from './users.messages.ts'
import { type ListedUser, usersQuery } from './users.queries.ts'

interface UserListProps {
  /** Part of a name; empty for everybody. */
  search: string
  /** A person's role, to read or to change. */
  role: (user: ListedUser) => ReactNode
}

/** Everybody with an account, newest first. */
export function UserList({ search, role }: UserListProps) {
  const list = useInfiniteQuery(usersQuery(search))
  const { data, error, refetch } = list

  useEffect(() => {
    if (error) userToasts.listFailed()
  }, [error])

  if (error && !data)
    return <LoadAlert title={userTexts.failed} problem={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={6} />
  const users = data
  if (users.length === 0)
    return (
      <EmptyState title={search === '' ? userTexts.none : userTexts.noMatch} order={2}>
        {search === '' ? 'Nobody has an account yet.' : 'Try a shorter part of the name.'}
      </EmptyState>
    )
  return (
    <Stack gap="sm" aria-busy={list.isPlaceholderData}>
      {users.map((user) => (
        <UserCard key={user.id} user={user} role={role(user)} />
      ))}
      <MoreRows list={list} failed={userTexts.failed}>
        Load more users
      </MoreRows>
    </Stack>
  )
}
