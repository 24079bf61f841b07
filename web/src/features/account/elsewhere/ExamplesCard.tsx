import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { announce } from '#ui/announce.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { apiAddress } from './tokens.ts'

/** Calls to begin with, as one types them. */
export function ExamplesCard() {
  const call = (rest: string) => `curl -H "Authorization: Bearer $POTLUCK_TOKEN" \\\n  ${rest}`
  const examples: [string, string][] = [
    [t`Your places and when they renew`, call(`"${apiAddress()}/rpc/my_seats"`)],
    [
      t`Who asks to join a plan`,
      call(`"${apiAddress()}/subscription_requests?status=eq.pending&select=id,subscription_id,message"`),
    ],
    [
      t`What is still to pay`,
      call(`"${apiAddress()}/member_payments?status=eq.due&select=plan_name,amount,due_at"`),
    ],
  ]
  return (
    <SectionCard titleId="examples-title" title={t`Examples`}>
      <Text c="dimmed">
        <Trans>
          Replace <Code>$POTLUCK_TOKEN</Code> with your token.
        </Trans>
      </Text>
      {examples.map(([title, text]) => (
        <Stack key={title} gap={4}>
          <Group justify="space-between" gap="xs">
            <Text fw={600}>{title}</Text>
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button
                  size="sm"
                  variant="subtle"
                  aria-label={t`Copy: ${title}`}
                  leftSection={
                    copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
                  }
                  onClick={() => {
                    copy()
                    announce(t`Copied`)
                  }}
                >
                  {copied ? t`Copied` : t`Copy`}
                </Button>
              )}
            </CopyButton>
          </Group>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Code>
        </Stack>
      ))}
    </SectionCard>
  )
}
