import { Card, Stack, Text, Title } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { ClosedProblems } from '#features/problems/ClosedProblems.tsx'
import { useProblemsLive } from '#features/problems/problems.live.ts'
import { WaitingProblems } from '#features/problems/WaitingProblems.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/problems')({ component: Problems })

/** What owner and member could not settle between them. */
function Problems() {
  useProblemsLive('all')
  return (
    <>
      <PageTitle title="Problems">Where owner and member say different things, and staff decides</PageTitle>
      <Stack gap="lg">
        <section aria-labelledby="waiting-title">
          <Title order={2} id="waiting-title" mb="xs">
            To decide
          </Title>
          <Text c="dimmed" mb="md">
            We aim at 72 hours. After 7 days without a decision what is held goes back to the member.
          </Text>
          <WaitingProblems />
        </section>
        <Card component="section" aria-labelledby="closed-title">
          <Title order={2} id="closed-title" mb="md">
            Closed
          </Title>
          <ClosedProblems />
        </Card>
      </Stack>
    </>
  )
}
