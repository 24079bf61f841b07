import { t } from '@lingui/core/macro'
import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { ENGLISH, language } from '#lib/language.ts'
import { announce } from './announce.ts'

interface CopyFieldProps {
  label: string
  value: string
  /** The text to show, if it differs from the value to copy. */
  shown?: string
}

/** A value to enter elsewhere, with a button that copies it. */
export function CopyField({ label, value, shown = value }: CopyFieldProps) {
  return (
    <Group wrap="nowrap" justify="space-between" gap="sm" mih={52}>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text fw={600} style={{ overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' }}>
          {shown}
        </Text>
      </div>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t`Copied` : t`Copy`}>
            <ActionIcon
              aria-label={t`Copy ${inSentence(label)}`}
              onClick={() => {
                copy()
                announce(t`Copied`)
              }}
              {...(copied ? { color: 'herb' } : {})}
            >
              {copied ? <IconCheck size={20} /> : <IconCopy size={20} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  )
}

/** The label within a sentence. Only English labels get lower case, since other languages have their own rules. */
const inSentence = (label: string) => (language === ENGLISH ? label.toLowerCase() : label)
