import { t } from '@lingui/core/macro'
import { SegmentedControl } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { SupportList } from '#features/staff/support/SupportList.tsx'
import { given } from '#lib/search.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/support')({
  validateSearch: z.object({ state: given(z.literal('answered')) }),
  component: Support,
})

/** Support requests, for staff to answer. */
function Support() {
  const { state } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <>
      <PageTitle title={t`Support`}>{t`We answer in the app and by email.`}</PageTitle>
      <SegmentedControl
        aria-label={t`Which questions`}
        styles={{ label: { paddingBlock: 9 } }}
        mb="lg"
        value={state ?? 'open'}
        onChange={(value) =>
          void navigate({
            search: { state: value === 'answered' ? 'answered' : undefined },
            resetScroll: false,
          })
        }
        data={[
          { value: 'open', label: t`To answer` },
          { value: 'answered', label: t`Answered` },
        ]}
      />
      <SupportList isAnswered={state === 'answered'} />
    </>
  )
}
