import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { LegalPage } from '#features/home/landing/LegalPage.tsx'
import { imprintSections } from '#features/home/landing/legal-content.ts'
import { config } from '#lib/config.ts'

export const Route = createFileRoute('/_shell/imprint')({ staticData: { reading: true }, component: Imprint })

function Imprint() {
  const { operatorName, operator } = config()
  return (
    <LegalPage
      title={t`Imprint`}
      summary={t`Who runs this site, and how to reach them.`}
      sections={imprintSections(operatorName, operator)}
    />
  )
}
