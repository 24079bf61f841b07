import { t } from '@lingui/core/macro'
import { Alert, Anchor, Text } from '@mantine/core'
import { IconMailOpened } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { config } from '#lib/config.ts'

interface SentNoticeProps {
  /** What to do with the mail. */
  children: ReactNode
}

/** A link or a code was sent by mail, or is captured by this deployment and can be read here. */
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
