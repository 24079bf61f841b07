import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface SettingRowProps {
  title: string
  /** The current value, if it is set. */
  value: ReactNode
  /** Says when the setting is used. */
  use: string
  /** The buttons. */
  children: ReactNode
}

/** One of several settings in a card, with its buttons at the end of the line. */
export function SettingRow({ title, value, use, children }: SettingRowProps) {
  return (
    <Group component="section" aria-label={title} justify="space-between" gap="sm">
      <Stack gap={2} flex="1 1 240px" miw={0}>
        <Text fw={600}>{title}</Text>
        {value}
        <Text size="sm" c="dimmed">
          {use}
        </Text>
      </Stack>
      <Group gap="sm" ms="auto">
        {children}
      </Group>
    </Group>
  )
}
