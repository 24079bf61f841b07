import { t } from '@lingui/core/macro'
import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { AddWebhook } from './AddWebhook.tsx'
import { WebhookState } from './WebhookState.tsx'
import { type Webhook, webhooksQuery } from './webhooks.ts'

/** The person's webhooks: URLs of their own programs that receive events. */
export function WebhooksCard() {
  const webhooks = useQuery(webhooksQuery)
  const [adding, setAdding] = useState(false)
  return (
    <SectionCard
      titleId="webhooks-title"
      title={t`Webhooks`}
      gap="sm"
      aside={
        <Button
          variant="default"
          leftSection={<IconWebhook size={18} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {t`Add a webhook`}
        </Button>
      }
    >
      <Text c="dimmed">{t`We call an address of yours when something happens: ntfy, Home Assistant, n8n or your own program.`}</Text>
      <Loaded of={webhooks} rows={1} failed={t`Your webhooks could not be loaded`}>
        {(list) =>
          list.map((webhook, index) => (
            <Fragment key={webhook.id}>
              {index > 0 && <Divider />}
              <Row webhook={webhook} />
            </Fragment>
          ))
        }
      </Loaded>
      {adding && <AddWebhook onClose={() => setAdding(false)} />}
    </SectionCard>
  )
}

function Row({ webhook }: { webhook: Webhook }) {
  const { id, name, host } = webhook
  return (
    <Group component="article" aria-label={name} gap="sm" wrap="nowrap" align="flex-start">
      <IconWebhook size={24} aria-hidden style={{ flex: 'none' }} />
      <Stack gap={2} flex={1} miw={0}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {host}
        </Text>
        <WebhookState webhook={webhook} />
      </Stack>
      <LinkButton
        to="/account-settings/webhooks/$webhookId"
        params={{ webhookId: id }}
        variant="default"
        aria-label={t`Open ${name}`}
        flex="none"
      >
        {t`Open`}
      </LinkButton>
    </Group>
  )
}
