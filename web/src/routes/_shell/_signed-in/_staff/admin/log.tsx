import { t } from '@lingui/core/macro'
import { Group } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { StaffLog } from '#features/staff/staff-log/StaffLog.tsx'
import { PersonFilter } from '#features/staff/users/PersonFilter.tsx'
import { given, keptRows } from '#lib/search.ts'
import { sortParam } from '#lib/sorting.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/log')({
  validateSearch: z.object({
    person: given(z.guid()),
    rows: keptRows,
    sort: sortParam('line', 'at', 'actor_name', 'action'),
  }),
  component: Log,
})

/** The staff log. For super-admins. */
function Log() {
  const { person } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <>
      <PageTitle title={t`Staff Log`}>{t`What staff decided, and when.`}</PageTitle>
      <Group gap="sm" mb="lg" align="flex-end">
        <PersonFilter
          person={person}
          onChange={(chosen) =>
            void navigate({
              search: (now) => ({ ...now, person: chosen, rows: undefined }),
              resetScroll: false,
            })
          }
        />
      </Group>
      <StaffLog person={person} />
    </>
  )
}
