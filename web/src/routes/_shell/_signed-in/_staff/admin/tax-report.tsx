import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { TaxReports } from '#features/money/tax/TaxReports.tsx'
import { given } from '#lib/search.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

const searchSchema = z.object({
  year: given(z.coerce.number().check(z.int(), z.minimum(2023), z.maximum(2200))),
})

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/tax-report')({
  validateSearch: searchSchema,
  component: TaxReport,
})

function TaxReport() {
  const { year } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <>
      <PageTitle
        title={t`Tax report`}
      >{t`What owners earned through the site, for the tax office (DAC7).`}</PageTitle>
      <TaxReports
        year={year}
        onYear={(wanted) => void navigate({ search: { year: wanted }, resetScroll: false })}
      />
    </>
  )
}
