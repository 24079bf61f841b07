import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { WebhookScreen } from '#features/account/integrations/WebhookScreen.tsx'
import { webhooksQuery } from '#features/account/integrations/webhooks.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { NotFound } from '#ui/NotFound.tsx'
import { AccountSettings } from './-AccountSettings.tsx'

/** One webhook with its deliveries. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/webhooks/$webhookId')({
  component: OneWebhook,
})

function OneWebhook() {
  const { webhookId } = Route.useParams()
  const navigate = Route.useNavigate()
  const webhooks = useQuery(webhooksQuery)
  const webhook = webhooks.data?.find(({ id }) => id === webhookId)
  if (webhooks.data && !webhook)
    return (
      <NotFound
        title={t`We can’t find this webhook`}
        action={<LinkButton to="/account-settings/programs">{t`See your webhooks`}</LinkButton>}
      >
        {t`It was removed, or it isn’t yours.`}
      </NotFound>
    )
  return (
    <AccountSettings
      title={webhook?.name ?? t`Webhook`}
      under={{ to: '/account-settings/programs', title: t`Programs` }}
    >
      <Loaded of={webhooks} rows={4} failed={t`Your webhooks could not be loaded`}>
        {() =>
          webhook && (
            <WebhookScreen
              webhook={webhook}
              onRemoved={() => void navigate({ to: '/account-settings/programs' })}
            />
          )
        }
      </Loaded>
    </AccountSettings>
  )
}
