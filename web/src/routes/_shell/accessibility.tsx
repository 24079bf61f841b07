import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { LegalPage } from '#features/home/landing/LegalPage.tsx'
import { accessibilitySections } from '#features/home/landing/legal-content.ts'
import { config } from '#lib/config.ts'

export const Route = createFileRoute('/_shell/accessibility')({
  staticData: { reading: true },
  component: Accessibility,
})

function Accessibility() {
  return (
    <LegalPage
      title={t`Accessibility`}
      summary={t`Potluck is for everyone. Here is how accessible it is.`}
      sections={accessibilitySections(config().operatorName)}
    />
  )
}
