import { Box, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { userTexts, userToasts } from './users.messages.ts'
import { type ListedUser, type UserWish, usersQuery } from './users.queries.ts'

const COLUMNS = [{ label: 'Name' }, { label: 'E-mail' }, { label: 'Joined' }, { label: 'Role' }]

interface UserListProps {
  wish: UserWish
  /** A person's role, to read or to change. */
  role: (user: ListedUser) => ReactNode
}

/** Everybody with an account, newest first. */
export function UserList({ wish, role }: UserListProps) {
  const list = useInfiniteQuery(usersQuery(wish))
  const { data, error, refetch } = list

  useEffect(() => {
    if (error) userToasts.listFailed()
  }, [error])

  if (error && !data)
    return <LoadAlert title={userTexts.failed} problem={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={6} />
  if (data.length === 0)
    return wish.search || wish.role ? (
      <EmptyState title={userTexts.noMatch} order={2}>
        {wish.role ? 'Try fewer filters.' : 'Try a shorter part of the name.'}
      </EmptyState>
    ) : (
      <EmptyState title={userTexts.none} order={2}>
        Nobody has an account yet.
      </EmptyState>
    )
  const showsMail = data.some(({ email }) => email !== null)
  return (
    <Stack gap="lg" aria-busy={list.isPlaceholderData}>
      <StackTable label="Users" columns={COLUMNS.filter(({ label }) => showsMail || label !== 'E-mail')}>
        {data.map((user) => (
          <StackRow key={user.id} label={user.name}>
            <StackCell>
              <Group gap="sm" wrap="nowrap" ta="start">
                <PersonAvatar name={user.name} src={user.avatarUrl} size={32} />
                <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                  <PersonLink staff userId={user.id} name={user.name} />
                </Text>
              </Group>
            </StackCell>
            {showsMail && (
              <StackCell label="E-mail">
                <Text size="sm" component="bdi" style={{ overflowWrap: 'anywhere' }}>
                  {user.email}
                </Text>
              </StackCell>
            )}
            <StackCell label="Joined">
              <RelativeDate date={user.createdAt} size="sm" />
            </StackCell>
            <StackCell label="Role">
              <Box w={{ base: 'auto', sm: 200 }}>{role(user)}</Box>
            </StackCell>
          </StackRow>
        ))}
      </StackTable>
      <KeptRows list={list} failed={userTexts.failed}>
        Load more users
      </KeptRows>
    </Stack>
  )
}
