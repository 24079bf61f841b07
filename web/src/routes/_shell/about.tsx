import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AboutScreen } from '#features/home/landing/AboutScreen.tsx'
import { feeRateQuery } from '#features/plans/catalogue/fee.queries.ts'
import { useSession } from '#lib/session.ts'

export const Route = createFileRoute('/_shell/about')({ staticData: { reading: true }, component: About })

function About() {
  const { data: feeRate } = useQuery(feeRateQuery)
  return <AboutScreen signedIn={useSession().status === 'signed-in'} feeRate={feeRate} />
}
