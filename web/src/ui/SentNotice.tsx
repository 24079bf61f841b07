import { t } from '@lingui/core/macro'
import { Alert, Anchor, Text } from '@mantine/core'
import { IconMailOpened } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { config } from '#lib/config.ts'

interface SentNoticeProps {
  /** The instructions for the mail. */
  children: ReactNode
}

/**
 * Notice that a link or code was sent by mail. If this deployment captures mails instead, links to where to read them.
 */
export function SentNotice({ children }: SentNoticeProps) {
  return (
    <Alert color="herb" icon={<IconMailOpened />} title={t`Check your email`} mb="lg" role="status">
      <Text size="sm">{children}</Text>
      {config().outbox && (
        <Anchor
          href="/outbox"
          target="_blank"
          rel="noreferrer"
          size="sm"
          mt={6}
          c="inherit"
          underline="always"
        >
          {t`Open the outbox`}
        </Anchor>
      )}
    </Alert>
  )
}
