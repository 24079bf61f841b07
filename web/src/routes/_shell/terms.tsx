import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LegalPage } from '#features/home/landing/LegalPage.tsx'
import { termsSections } from '#features/home/landing/legal-content.ts'
import { feeRateQuery } from '#features/plans/catalogue/fee.queries.ts'
import { config } from '#lib/config.ts'

export const Route = createFileRoute('/_shell/terms')({ staticData: { reading: true }, component: Terms })

function Terms() {
  const { data: feeRate } = useQuery(feeRateQuery)
  return (
    <LegalPage
      title={t`Terms`}
      numbered
      summary={t`The rules, in plain words.`}
      sections={termsSections(config().operatorName, feeRate, config().takesReports)}
    />
  )
}
