import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import type { Webhook } from './webhooks.ts'

/** One or two sentences that say whether a webhook works. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { stoppedAt, stoppedWhy, lastAttemptAt, hasFailed } = webhook
  return (
    <Text size="sm" c={stoppedAt || hasFailed ? 'beet' : 'dimmed'}>
      {stoppedAt && stoppedWhy === 'gone' && t`Stopped, because it said that it’s gone.`}
      {stoppedAt && stoppedWhy !== 'gone' && t`Stopped, because it took nothing for a day.`}
      {!stoppedAt && lastAttemptAt && !hasFailed && (
        <Trans>
          Works. Last called <RelativeDate date={lastAttemptAt} />.
        </Trans>
      )}
      {!stoppedAt && lastAttemptAt && hasFailed && (
        <Trans>
          The last call failed <RelativeDate date={lastAttemptAt} />.
        </Trans>
      )}
      {!stoppedAt && !lastAttemptAt && t`Not called yet.`}
    </Text>
  )
}
