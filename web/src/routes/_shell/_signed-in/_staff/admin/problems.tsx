import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { PersonFilter } from '#features/staff/users/PersonFilter.tsx'
import { ClosedProblems } from '#features/trust/problems/ClosedProblems.tsx'
import { PaymentDisputes } from '#features/trust/problems/PaymentDisputes.tsx'
import { usePaymentDisputesLive } from '#features/trust/problems/payment-disputes.ts'
import { useProblemsLive } from '#features/trust/problems/problems.live.ts'
import { WaitingProblems } from '#features/trust/problems/WaitingProblems.tsx'
import { given, keptRows } from '#lib/search.ts'
import { sortParam } from '#lib/sorting.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/problems')({
  validateSearch: z.object({
    person: given(z.guid()),
    rows: keptRows,
    sort: sortParam('closed_at', 'plan_name'),
  }),
  component: Problems,
})

/** Problems that owner and member could not settle, for staff to decide. */
function Problems() {
  const { person } = Route.useSearch()
  const navigate = Route.useNavigate()
  useProblemsLive('all')
  usePaymentDisputesLive()
  return (
    <>
      <PageTitle title={t`Problems`}>{t`When owner and member disagree, staff decides.`}</PageTitle>
      <Stack gap="lg">
        <section aria-labelledby="waiting-title">
          <Title order={2} size="h3" id="waiting-title" mb="xs">
            {t`To decide`}
          </Title>
          <Text c="dimmed" mb="md">
            <Trans>
              We aim at {LIMITS.problemDecisionAimHours} hours. After{' '}
              <Plural value={LIMITS.problemDecisionTimeHours / 24} one="# day" other="# days" /> without a
              decision, the member gets back what is held.
            </Trans>
          </Text>
          <WaitingProblems />
        </section>
        <PaymentDisputes />
        <Card component="section" aria-labelledby="closed-title">
          <Title order={2} size="h3" id="closed-title" mb="md">
            {t`Closed problems`}
          </Title>
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
          <ClosedProblems person={person} />
        </Card>
        <PaymentDisputes closed />
      </Stack>
    </>
  )
}
