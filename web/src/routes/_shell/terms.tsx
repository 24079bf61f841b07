import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { feeRateQuery } from '#features/fee/fee.queries.ts'
import { LegalPage } from '#features/landing/LegalPage.tsx'
import { termsSections } from '#features/landing/legal-content.ts'
import { config } from '#lib/config.ts'

export const Route = createFileRoute('/_shell/terms')({ staticData: { reading: true }, component: Terms })

function Terms() {
  const { data: feeRate } = useQuery(feeRateQuery)
  return (
    <LegalPage
      title="Terms"
      summary="The rules of the table, in plain words."
      sections={termsSections(config().operatorName, feeRate)}
    />
  )
}
