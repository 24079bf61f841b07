import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { planName } from '#domain/plan-name.ts'
import { ExportButton } from '#features/money/payments/ExportButton.tsx'
import { GroupYear } from '#features/money/payments/GroupYear.tsx'
import { PaymentList } from '#features/money/payments/PaymentList.tsx'
import { usePaymentsLive } from '#features/money/payments/payments.live.ts'
import { recallPlan } from '#features/plans/shared-plans/plan-memory.ts'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/manage-shared/$planId/payments')({
  component: PlanPayments,
})

/** All payments of a plan's members, even after the plan has ended. For its owner. */
function PlanPayments() {
  const { planId } = Route.useParams()
  const { id: userId } = useUser()
  const known = recallPlan(planId)
  usePaymentsLive(userId)
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <BackLink to="/manage-shared/$planId" params={{ planId }}>
        {t`Back to the plan`}
      </BackLink>
      <PageTitle title={t`Payments`} actions={<ExportButton ownerId={userId} planId={planId} />}>
        {known ? t`What members pay for ${known.provider} ${planName(known.name)}.` : t`What members pay.`}
      </PageTitle>
      <GroupYear planId={planId} ownerId={userId} />
      <PaymentList
        whose={{ owner_id: userId, subscription_id: planId }}
        label={t`Payments of members`}
        empty={
          <EmptyState order={2} title={t`No payments yet`}>
            {t`Payments appear here once someone joins.`}
          </EmptyState>
        }
      />
    </Container>
  )
}
