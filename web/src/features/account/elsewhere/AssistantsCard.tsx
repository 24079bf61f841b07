import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Code, List, Text } from '@mantine/core'
import { CopyableCode } from '#ui/CopyableCode.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { functionAddress } from './tokens.ts'

/** How an assistant gets in, what it can do with which token, and what only the person can. */
export function AssistantsCard() {
  const url = functionAddress('mcp')
  const server = { type: 'http', url, headers: { Authorization: 'Bearer pot_…' } }
  return (
    <SectionCard titleId="assistants-title" title={t`Assistants (MCP)`}>
      <Text c="dimmed">{t`Let an assistant that speaks the Model Context Protocol read for you and draft your answers. It can’t send a message, answer a request or move money: you do that here.`}</Text>
      <List spacing={4}>
        <List.Item>{t`Read plans: your plans, what waits for you, and plans to join`}</List.Item>
        <List.Item>{t`Read money: what is due, and how to pay it`}</List.Item>
        <List.Item>{t`Chat: your conversations. Drafts wait above the message field until you send or discard them`}</List.Item>
      </List>
      <Text size="sm" c="dimmed">
        <Trans>
          Make a token for it, and put that in place of <Code>pot_…</Code>. An assistant reads what others
          write to you: don’t let it act on their words.
        </Trans>
      </Text>
      <CopyableCode title={t`Address`}>{url}</CopyableCode>
      <CopyableCode title={t`Configuration`}>
        {JSON.stringify({ mcpServers: { potluck: server } }, null, 2)}
      </CopyableCode>
    </SectionCard>
  )
}
