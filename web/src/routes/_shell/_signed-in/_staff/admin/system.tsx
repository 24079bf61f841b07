import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { SystemTables } from '#features/staff/system/SystemTables.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/system')({ component: System })

function System() {
  return (
    <>
      <PageTitle title={t`System`}>
        {t`How the site runs right now. A monitor reads the same at /metrics.`}
      </PageTitle>
      <SystemTables />
    </>
  )
}
