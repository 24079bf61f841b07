import { t } from '@lingui/core/macro'
import { Box, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { roleName } from '#domain/roles.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { RoleBadge } from '../roles/RoleBadge.tsx'
import { RoleSelect } from '../roles/RoleSelect.tsx'
import { userTexts, userToasts } from './users.messages.ts'
import { type ListedUser, type UserFilter, userKeys, usersQuery } from './users.queries.ts'

interface UserListProps {
  filter: UserFilter
  /** The signed-in person. */
  ownId: string
  maySetRoles: boolean
}

/** All accounts, newest first. */
export function UserList({ filter, ownId, maySetRoles }: UserListProps) {
  const sorting = useSorting('sort')
  const list = useInfiniteQuery(usersQuery({ ...filter, sorting }))
  const { error } = list

  useEffect(() => {
    if (error) userToasts.listFailed()
  }, [error])

  const emailColumn: Column<ListedUser> = {
    label: t`Email`,
    sort: 'email',
    as: 'detail',
    brief: ({ email }) => email,
    cell: ({ email }) => (
      <Text size="sm" component="bdi" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
    ),
  }
  const columns: Column<ListedUser>[] = [
    {
      label: t`Name`,
      sort: 'display_name',
      as: 'title',
      mark: ({ displayName, avatarUrl }) => <PersonAvatar name={displayName} src={avatarUrl} size={40} />,
      brief: ({ displayName }) => displayName,
      cell: ({ id, displayName }) => (
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          <PersonLink staff userId={id} name={displayName} />
        </Text>
      ),
    },
    emailColumn,
    {
      label: t`Joined`,
      sort: 'created_at',
      as: 'detail',
      cell: ({ createdAt }) => <RelativeDate date={createdAt} size="sm" />,
    },
    {
      label: t`Role`,
      sort: 'role',
      as: 'state',
      brief: ({ role }) => role && roleName(role),
      cell: (user) => (
        <Box w={{ sm: 200 }}>
          {maySetRoles ? (
            <RoleSelect person={user} self={user.id === ownId} stale={userKeys.all} />
          ) : (
            <RoleBadge of={user.role} />
          )}
        </Box>
      ),
    },
  ]
  const narrowed = filter.search || filter.role
  return (
    <Loaded
      of={list}
      rows={6}
      failed={userTexts.failed}
      empty={
        <EmptyState title={narrowed ? userTexts.noMatch : userTexts.none} order={2}>
          {filter.role
            ? t`Try fewer filters.`
            : narrowed
              ? t`Try a shorter part of the name.`
              : t`No accounts yet.`}
        </EmptyState>
      }
    >
      {(users) => (
        <Stack gap="lg" aria-busy={list.isPlaceholderData}>
          <DataTable
            label={t`Users`}
            sorts="sort"
            columns={columns.filter(
              (column) => column !== emailColumn || users.some(({ email }) => email !== null),
            )}
            rows={users}
            rowKey={({ id }) => id}
            rowProps={({ displayName }) => ({ 'aria-label': displayName })}
          />
          <KeptRows list={list} failed={userTexts.failed}>
            {t`Load more users`}
          </KeptRows>
        </Stack>
      )}
    </Loaded>
  )
}
