import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { TokensCard } from '#features/account/integrations/TokensCard.tsx'
import { WebhooksCard } from '#features/account/integrations/WebhooksCard.tsx'
import { AccountSettings } from './-AccountSettings.tsx'

/** The programs that act for a person: their tokens and webhooks. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/programs')({
  component: Programs,
})

function Programs() {
  return (
    <AccountSettings
      title={t`Programs`}
      under={{ to: '/account-settings/elsewhere', title: t`Your data, elsewhere` }}
    >
      <TokensCard />
      <WebhooksCard />
    </AccountSettings>
  )
}
