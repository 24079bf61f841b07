import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { operatorQuery } from '#features/account/sellers/operator.queries.ts'
import { LegalPage } from '#features/home/landing/LegalPage.tsx'
import { imprintSections } from '#features/home/landing/legal-content.ts'
import { config } from '#lib/config.ts'
import { Loaded } from '#ui/Loaded.tsx'

export const Route = createFileRoute('/_shell/imprint')({ staticData: { reading: true }, component: Imprint })

function Imprint() {
  const operator = useQuery(operatorQuery)
  return (
    <LegalPage
      title={t`Imprint`}
      summary={t`Who runs this site, and how to reach them.`}
      sections={operator.data ? imprintSections(operator.data, config().operatorName) : []}
    >
      <Loaded of={operator} rows={4} failed={t`Failed to load the imprint`}>
        {() => null}
      </Loaded>
    </LegalPage>
  )
}
