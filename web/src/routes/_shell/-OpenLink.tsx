import { t } from '@lingui/core/macro'
import { Button, Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { SimilarPlans } from '#features/plans/browse/SimilarPlans.tsx'
import { openPlanLinkQuery } from '#features/plans/shared-plans/plan-link.ts'
import { toAppError } from '#lib/errors.ts'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'

/** Opens a private plan's link and navigates to the plan. */
export function OpenLink({ token }: { token: string }) {
  const { data: planId, error, refetch } = useQuery(openPlanLinkQuery(token, useUser().id))
  if (planId) return <Navigate to="/subscription/$planId" params={{ planId }} replace />
  if (!error) return <PageLoading />
  const { code, message } = toAppError(error)
  const gone = code === 'PT404'
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <EmptyState
        order={1}
        title={gone ? t`This link no longer works` : t`The link could not be opened`}
        action={
          gone ? (
            <LinkButton to="/plans">{t`Browse Plans`}</LinkButton>
          ) : (
            <Button onClick={() => void refetch()}>{t`Try Again`}</Button>
          )
        }
      >
        {gone ? t`The owner replaced it or cancelled the plan. Ask for a new link.` : message}
      </EmptyState>
      {gone && <SimilarPlans />}
    </Container>
  )
}
