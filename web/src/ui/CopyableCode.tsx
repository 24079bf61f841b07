import { t } from '@lingui/core/macro'
import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { announce } from './announce.ts'

/** A code to enter elsewhere, below its title and a note. */
export const CopyableCode = ({
  title,
  note,
  children,
}: {
  title: string
  note?: string
  children: string
}) => (
  <Stack gap={4}>
    <Group justify="space-between" gap="xs">
      <div>
        <Text fw={600}>{title}</Text>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
      </div>
      <CopyButton value={children}>
        {({ copied, copy }) => (
          <Button
            size="sm"
            variant="subtle"
            aria-label={t`Copy: ${title}`}
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
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
      {children}
    </Code>
  </Stack>
)
