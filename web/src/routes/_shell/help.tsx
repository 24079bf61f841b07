import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { HelpScreen } from '#features/home/help/HelpScreen.tsx'
import { feeRateQuery } from '#features/plans/catalogue/fee.queries.ts'
import { given } from '#lib/search.ts'

export const Route = createFileRoute('/_shell/help')({
  staticData: { reading: true },
  validateSearch: z.object({ q: given(z.string()) }),
  component: Help,
})

function Help() {
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: feeRate } = useQuery(feeRateQuery)
  return (
    <HelpScreen
      feeRate={feeRate}
      wanted={q}
      onSearch={(text) =>
        void navigate({ search: { q: text || undefined }, resetScroll: false, replace: true })
      }
    />
  )
}
