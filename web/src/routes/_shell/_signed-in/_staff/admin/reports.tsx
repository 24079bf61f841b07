import { createFileRoute } from '@tanstack/react-router'
import { ReportList } from '#features/reports/ReportList.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/reports')({ component: Reports })

/** What people report about each other. */
function Reports() {
  return (
    <>
      <PageTitle title="Reported People">
        Look at both sides before you decide. Whoever reported hears that you have, and nothing else.
      </PageTitle>
      <ReportList />
    </>
  )
}
