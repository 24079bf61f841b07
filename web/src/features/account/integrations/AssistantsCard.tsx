import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Code, List, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyableCode } from '#ui/CopyableCode.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { MakeTokenDialog } from './MakeTokenDialog.tsx'
import { functionAddress } from './tokens.ts'

/** Explains how to connect an assistant, what each kind of token allows, and which actions only the person can do. */
export function AssistantsCard() {
  const [making, setMaking] = useState(false)
  const url = functionAddress('mcp')
  const server = { type: 'http', url, headers: { Authorization: 'Bearer pot_…' } }
  return (
    <SectionCard
      titleId="assistants-title"
      title={t`Assistants (MCP)`}
      aside={
        <Button
          variant="default"
          leftSection={<IconKey size={18} aria-hidden />}
          onClick={() => setMaking(true)}
        >
          {t`Create a token for it`}
        </Button>
      }
    >
      <Text c="dimmed">{t`Let an assistant that speaks the Model Context Protocol read for you and draft your answers. With a token for drafts it can’t send a message, answer a request or move money: you do that here.`}</Text>
      <List spacing={4}>
        <List.Item>{t`Read plans: your plans, what waits for you, and plans to join`}</List.Item>
        <List.Item>{t`Read money: what is due, and how to pay it`}</List.Item>
        <List.Item>{t`Draft messages: your conversations. Drafts wait above the message field until you send or discard them`}</List.Item>
        <List.Item>{t`Chat and Change plans: not for an assistant. With these it could send and answer for you`}</List.Item>
      </List>
      <Text size="sm" c="dimmed">
        <Trans>
          Put its token in place of <Code>pot_…</Code>. An assistant reads what others write to you: don’t let
          it act on their words.
        </Trans>
      </Text>
      <CopyableCode title={t`Address`}>{url}</CopyableCode>
      <CopyableCode title={t`Configuration`}>
        {JSON.stringify({ mcpServers: { potluck: server } }, null, 2)}
      </CopyableCode>
      {making && <MakeTokenDialog scopes={['drafts']} onClose={() => setMaking(false)} />}
    </SectionCard>
  )
}
