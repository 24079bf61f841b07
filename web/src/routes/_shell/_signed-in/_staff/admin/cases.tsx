import { t } from '@lingui/core/macro'
import { Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CaseList } from '#features/staff/cases/CaseList.tsx'
import { casesQuery } from '#features/staff/cases/cases.queries.ts'
import { useRole } from '#features/staff/roles/use-role.ts'
import { PersonFilter } from '#features/staff/users/PersonFilter.tsx'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

const searchSchema = z.object({ state: given(z.literal('closed')), person: given(z.guid()) })

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/cases')({
  validateSearch: searchSchema,
  component: Cases,
})

function Cases() {
  const { state, person } = Route.useSearch()
  const filter = { isClosed: state === 'closed', person }
  const { data: cases } = useQuery(casesQuery(filter))
  const { may } = useRole(useUser().id)
  const navigate = Route.useNavigate()
  const narrow = (change: z.infer<typeof searchSchema>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  return (
    <>
      <PageTitle title={t`Cases`}>
        {t`Questions, reports and appeals. Look at both sides before you decide.`}
      </PageTitle>
      <Group gap="sm" mb="lg" align="flex-end">
        <SegmentedControl
          aria-label={t`Which cases`}
          styles={{ label: { paddingBlock: 9 } }}
          value={state ?? 'open'}
          onChange={(value) => narrow({ state: value === 'closed' ? 'closed' : undefined })}
          data={[
            { value: 'open', label: t`To look at` },
            { value: 'closed', label: t({ message: 'Closed', context: 'cases' }) },
          ]}
        />
        {(person || cases?.length !== 0) && (
          <PersonFilter person={person} onChange={(chosen) => narrow({ person: chosen })} />
        )}
      </Group>
      <CaseList filter={filter} maySuspend={may('users.edit')} />
    </>
  )
}
