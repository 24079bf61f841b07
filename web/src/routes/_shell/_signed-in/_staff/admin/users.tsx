import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { RoleSelect } from '#features/roles/RoleSelect.tsx'
import { roleTexts } from '#features/roles/roles.messages.ts'
import { useRole } from '#features/roles/use-role.ts'
import { UserList } from '#features/users/UserList.tsx'
import { userTexts } from '#features/users/users.messages.ts'
import { userKeys, usersQuery } from '#features/users/users.queries.ts'
import { useUser } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { RoleBadge } from '../../../../-admin/AdminShell.tsx'
import { BackToDashboard } from '../../../../-admin/BackToDashboard.tsx'

const searchSchema = z.object({ q: z.catch(z.optional(z.string()), undefined) })

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/users')({
  validateSearch: searchSchema,
  loaderDeps: ({ search: { q = '' } }) => ({ q }),
  loader: ({ context: { queryClient: cache }, deps: { q } }) => {
    void cache.prefetchInfiniteQuery(usersQuery(q))
  },
  component: Users,
})

/** Who has an account, and what role. */
function Users() {
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const cache = useQueryClient()
  const { id: ownId } = useUser()
  const maySetRoles = useRole(ownId).may('roles.manage')
  const search = (wish: string) =>
    void navigate({ search: (now) => ({ ...now, q: wish || undefined }), replace: q !== '' })
  return (
    <>
      <BackToDashboard />
      <PageTitle title={userTexts.title} />
      <SearchField label="Search by name" value={q} onSearch={search} />
      {!maySetRoles && (
        <Text c="dimmed" mb="md">
          {roleTexts.readOnly}
        </Text>
      )}
      <UserList
        search={q}
        role={(user) =>
          maySetRoles ? (
            <RoleSelect
              person={user}
              self={user.id === ownId}
              onSettled={() => cache.invalidateQueries({ queryKey: userKeys.all })}
            />
          ) : (
            <RoleBadge of={user.role} />
          )
        }
      />
    </>
  )
}
