import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { LegalPage } from '#features/home/landing/LegalPage.tsx'
import { privacySections } from '#features/home/landing/legal-content.ts'
import { config } from '#lib/config.ts'

export const Route = createFileRoute('/_shell/privacy')({ staticData: { reading: true }, component: Privacy })

function Privacy() {
  return (
    <LegalPage
      title={t`Privacy`}
      summary={t`What we know about you, and who sees it.`}
      sections={privacySections(config().operatorName)}
    />
  )
}
