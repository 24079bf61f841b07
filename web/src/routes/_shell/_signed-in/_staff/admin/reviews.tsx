import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { ReportedReviews } from '#features/trust/reviews/ReportedReviews.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/reviews')({ component: Reviews })

function Reviews() {
  return (
    <>
      <PageTitle title={t`Reported Reviews`}>
        {t`Hide a review for what it says, not for a low rating. Its author sees your reason.`}
      </PageTitle>
      <ReportedReviews />
    </>
  )
}
