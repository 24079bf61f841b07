import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ReportScreen } from '#features/account/reports/ReportScreen.tsx'
import { config } from '#lib/config.ts'
import { given } from '#lib/search.ts'
import { EmptyState } from '#ui/EmptyState.tsx'

export const Route = createFileRoute('/_shell/report')({
  staticData: { reading: true },
  validateSearch: z.object({
    kind: given(z.enum(['person', 'picture', 'plan', 'review'])),
    id: given(z.string().check(z.regex(/^[\w-]{1,100}$/))),
  }),
  component: Report,
})

function Report() {
  const { kind, id } = Route.useSearch()
  return (
    <Container size="sm" py="xl">
      {config().takesReports ? (
        <ReportScreen target={kind && id ? { kind, id } : null} />
      ) : (
        <EmptyState order={1} title={t`This site takes no reports`}>
          {t`The imprint says whom you can write to.`}
        </EmptyState>
      )}
    </Container>
  )
}
