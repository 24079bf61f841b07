import { t } from '@lingui/core/macro'
import { Group, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { BUILT_IN_ROLES, roleName } from '#domain/roles.ts'
import { roleTexts } from '#features/staff/roles/roles.messages.ts'
import { systemRolesQuery } from '#features/staff/roles/roles.queries.ts'
import { useRole } from '#features/staff/roles/use-role.ts'
import { UserList } from '#features/staff/users/UserList.tsx'
import { userTexts } from '#features/staff/users/users.messages.ts'
import { usersQuery } from '#features/staff/users/users.queries.ts'
import { given, keptRows } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { sortParam, toSorting } from '#lib/sorting.ts'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SearchField } from '#ui/SearchField.tsx'

const searchSchema = z.object({
  q: given(z.string()),
  role: given(z.string()),
  rows: keptRows,
  sort: sortParam('display_name', 'email', 'created_at', 'role'),
})

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/users')({
  validateSearch: searchSchema,
  loaderDeps: ({ search: { q = '', role, sort } }) => ({ search: q, role, sort }),
  loader: ({ context: { queryClient: cache }, deps: { sort, ...filter } }) => {
    void cache.prefetchInfiniteQuery(usersQuery({ ...filter, sorting: toSorting(sort) }))
  },
  component: Users,
})

function Users() {
  const { q = '', role: wanted } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { id: ownId } = useUser()
  const { may } = useRole(ownId)
  const maySetRoles = may('roles.manage')
  const { data: defined } = useQuery({ ...systemRolesQuery, enabled: maySetRoles || may('users.edit') })
  const roles = new Set(['none', ...BUILT_IN_ROLES, ...(defined?.roles ?? []).map(({ name }) => name)])
  const search = (text: string) =>
    void navigate({ search: (now) => ({ ...now, q: text || undefined, rows: undefined }), replace: q !== '' })
  return (
    <>
      <BackLink to="/admin">{t`Back to Dashboard`}</BackLink>
      <PageTitle title={userTexts.title} />
      <Group gap="0 var(--mantine-spacing-sm)" align="flex-start">
        <SearchField label={t`Search by name`} value={q} onSearch={search} />
        <Select
          aria-label={t`Role`}
          placeholder={t`All roles`}
          data={[...roles].map((value) => ({
            value,
            label: value === 'none' ? t`No role` : roleName(value),
          }))}
          value={wanted ?? null}
          clearable
          flex="1 1 180px"
          maw={200}
          mb="lg"
          onChange={(role) =>
            void navigate({
              search: (now) => ({ ...now, role: role ?? undefined, rows: undefined }),
              resetScroll: false,
            })
          }
        />
      </Group>
      {!maySetRoles && (
        <Text c="dimmed" mb="md">
          {roleTexts.readOnly}
        </Text>
      )}
      <UserList filter={{ search: q, role: wanted }} ownId={ownId} maySetRoles={maySetRoles} />
    </>
  )
}
