import { t } from '@lingui/core/macro'
import { ActionIcon, Button, CopyButton, Group, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { ENGLISH, language } from '#lib/language.ts'
import { announce } from './announce.ts'

interface CopyFieldProps {
  label: string
  value: string
  /** The text to show, if it differs from the value to copy. */
  shown?: string
  /** Shows the copy button's label as text instead of an icon. */
  named?: boolean
}

/** A value to enter elsewhere, with a button that copies it. */
export function CopyField({ label, value, shown = value, named = false }: CopyFieldProps) {
  const copies = t`Copy ${inSentence(label)}`
  return (
    <Group justify="space-between" gap="4px 12px" mih={52}>
      <div style={{ flex: '1 1 80px', minWidth: 0 }}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text fw={600} style={{ overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' }}>
          {shown}
        </Text>
      </div>
      <CopyButton value={value}>
        {({ copied, copy }) => {
          const look = copied ? { color: 'herb' } : {}
          const onClick = () => {
            copy()
            announce(t`Copied`)
          }
          return named ? (
            <Button
              variant="default"
              size="sm"
              px="sm"
              flex="none"
              miw={144}
              aria-label={copies}
              onClick={onClick}
              {...look}
            >
              {copied ? t`Copied` : copies}
            </Button>
          ) : (
            <Tooltip label={copied ? t`Copied` : t`Copy`}>
              <ActionIcon aria-label={copies} onClick={onClick} {...look}>
                {copied ? <IconCheck size={20} /> : <IconCopy size={20} />}
              </ActionIcon>
            </Tooltip>
          )
        }}
      </CopyButton>
    </Group>
  )
}

/**
 * The label within a sentence: in lower case if it is English and no abbreviation. Other languages have their own
 * rules.
 */
const inSentence = (label: string) =>
  language === ENGLISH && label !== label.toUpperCase() ? label.toLowerCase() : label
