import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Code, Text } from '@mantine/core'
import { CopyableCode } from '#ui/CopyableCode.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { functionAddress, SCOPES } from './tokens.ts'

/** Explains how to connect an assistant, and that only the person can send what it drafts. */
export function AssistantsCard() {
  const url = functionAddress('mcp')
  const server = { type: 'http', url, headers: { Authorization: 'Bearer pot_…' } }
  return (
    <SectionCard titleId="assistants-title" title={t`Assistants (MCP)`}>
      <Text c="dimmed">
        <Trans>
          Give it a token for “{SCOPES.drafts.title}” alone, in place of <Code>pot_…</Code>: it reads your
          conversations and drafts answers, and only you send them. An assistant reads what others write to
          you: don’t let it act on their words.
        </Trans>
      </Text>
      <CopyableCode title={t`Address`}>{url}</CopyableCode>
      <CopyableCode title={t`Configuration`}>
        {JSON.stringify({ mcpServers: { potluck: server } }, null, 2)}
      </CopyableCode>
    </SectionCard>
  )
}
