import { t } from '@lingui/core/macro'
import { Button, ScrollArea, Stack, Text } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useChange } from '#lib/change.ts'
import { FormattedText } from '#ui/FormattedText.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { caseTexts, caseToasts } from './cases.messages.ts'
import { type Case, readReportedChat } from './cases.queries.ts'

/**
 * The chat of a reported person with the reporter. It is loaded only on request, since the staff log records each
 * reading.
 */
export function ReportedChat({ of: { id, personName, writerName } }: { of: Case }) {
  const { mutate, data, isPending } = useChange({
    run: () => readReportedChat(id),
    failed: caseToasts.failed,
    // The texts are other people's, so they are removed from memory when the screen closes.
    gcTime: 0,
  })
  if (!data)
    return (
      <Stack gap={4} align="flex-start">
        <Button
          variant="default"
          leftSection={<IconMessages size={18} aria-hidden />}
          loading={isPending}
          onClick={() => mutate()}
        >
          {t`Read their chat`}
        </Button>
        <Text size="sm" c="dimmed">
          {caseTexts.logged}
        </Text>
      </Stack>
    )
  return (
    <ScrollArea.Autosize mah={400} type="auto" tabIndex={0} role="region" aria-label={t`Their chat`}>
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {t`Their chat`}
        </Text>
        {data.length === 0 && <Text c="dimmed">{t`No messages yet`}</Text>}
        {data.map(({ id: message, plan, isReporter, content, writtenAt }) => (
          <div key={message}>
            <Text size="sm" c="dimmed">
              <b>{isReporter ? writerName : personName}</b> · {plan} ·{' '}
              <RelativeDate date={writtenAt} size="sm" />
            </Text>
            <FormattedText>{content}</FormattedText>
          </div>
        ))}
      </Stack>
    </ScrollArea.Autosize>
  )
}
