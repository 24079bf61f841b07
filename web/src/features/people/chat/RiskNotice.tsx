import { t } from '@lingui/core/macro'
import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import type { Risk } from '#domain/risky-text.ts'
import { riskTexts } from './chat.messages.ts'

interface RiskNoticeProps {
  risk: Risk
  /** A link to the right place for the data, if any. */
  better?: { label: string; href: string } | undefined
  onSend: () => void
  onKeep: () => void
}

/**
 * Explains why a message was held back, links to a better place for the data, and offers to send the message anyway.
 */
export function RiskNotice({ risk, better, onSend, onKeep }: RiskNoticeProps) {
  const { title, why } = riskTexts[risk]
  return (
    <Alert color="honey" icon={<IconShieldLock aria-hidden />} title={title} mb="sm" role="alert">
      <Text size="sm">{why}</Text>
      <Group gap="sm" mt="sm">
        <Button size="sm" variant="default" onClick={onKeep}>
          {t`Edit message`}
        </Button>
        <Button size="sm" variant="subtle" onClick={onSend}>
          {t`Send anyway`}
        </Button>
        {better && (
          <Anchor href={better.href} mih={44} display="inline-flex" style={{ alignItems: 'center' }}>
            {better.label}
          </Anchor>
        )}
      </Group>
    </Alert>
  )
}
