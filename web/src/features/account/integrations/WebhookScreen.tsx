import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { fullDate } from '#domain/dates.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { Deliveries } from './Deliveries.tsx'
import { SecretShown } from './SecretShown.tsx'
import { WebhookState } from './WebhookState.tsx'
import {
  TYPES,
  typeInWords,
  useEndWebhook,
  useRotateWebhook,
  useTestWebhook,
  type Webhook,
} from './webhooks.ts'

/** One webhook: its state, its actions and its deliveries. */
export function WebhookScreen({ webhook, onRemoved }: { webhook: Webhook; onRemoved: () => void }) {
  const [asked, setAsked] = useState<'secret' | 'end' | null>(null)
  const close = () => setAsked(null)
  const test = useTestWebhook(() => undefined)
  const rotate = useRotateWebhook()
  const end = useEndWebhook(onRemoved)
  return (
    <>
      <SectionCard titleId="webhook-title" title={webhook.host} gap="xs">
        <Text size="sm" c="dimmed">
          {Object.keys(TYPES)
            .filter((type) => webhook.events.includes(type))
            .map(typeInWords)
            .join(', ')}
        </Text>
        <WebhookState webhook={webhook} />
        {webhook.oldUntil && (
          <Text size="sm" c="dimmed">
            {t`The old secret still works until ${fullDate(webhook.oldUntil)}.`}
          </Text>
        )}
        <Group gap="sm" mt="xs">
          <Button
            leftSection={<IconSend size={18} aria-hidden />}
            loading={test.isPending}
            onClick={() => test.mutate(webhook)}
          >
            {webhook.stoppedAt ? t`Turn on and test` : t`Send a test`}
          </Button>
          <Button variant="default" onClick={() => setAsked('secret')}>
            {t`Replace secret`}
          </Button>
          <Button variant="subtle" color="beet" onClick={() => setAsked('end')}>
            {t`Remove`}
          </Button>
        </Group>
      </SectionCard>
      <Deliveries webhook={webhook} />
      <ConfirmDialog
        opened={asked === 'secret'}
        title={t`Replace the secret?`}
        confirmLabel={t`Replace secret`}
        cancelLabel={t`Keep secret`}
        color="clay"
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate(webhook, { onSettled: close })}
        onClose={close}
      >
        {t`For ${LIMITS.oldSecretTimeHours} hours calls are signed with both, so nothing is missed while you change it.`}
      </ConfirmDialog>
      <Dialog opened={rotate.data !== undefined} onClose={rotate.reset} title={t`Copy the secret`}>
        <SecretShown secret={rotate.data ?? ''} onClose={rotate.reset} />
      </Dialog>
      <ConfirmDialog
        opened={asked === 'end'}
        title={t`Remove this webhook?`}
        confirmLabel={t`Remove webhook`}
        cancelLabel={t`Keep webhook`}
        busy={end.isPending}
        onConfirm={() => end.mutate(webhook)}
        onClose={close}
      >
        <Trans>Nothing more is sent to “{webhook.name}”, and what was sent is forgotten.</Trans>
      </ConfirmDialog>
    </>
  )
}
