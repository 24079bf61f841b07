import { Anchor, Stack, Text } from '@mantine/core'
import { CopyField } from '#ui/CopyField.tsx'
import type { Secret } from './use-opening.ts'

interface OpenedSecretProps {
  secret: Secret
  secondsLeft: number
}

/** An opened secret, ready to copy while it is shown. */
export function OpenedSecret({ secret: { password, link, note }, secondsLeft }: OpenedSecretProps) {
  return (
    <Stack gap="xs" style={{ whiteSpace: 'pre-wrap' }}>
      {password && <CopyField label="Password" value={password} />}
      {link && (
        <div>
          <CopyField label="Link" value={link} />
          <Anchor href={link} target="_blank" rel="noopener noreferrer" mih={44} display="inline-flex">
            Open {new URL(link).host}
          </Anchor>
        </div>
      )}
      {note && <CopyField label="Note" value={note} />}
      <Text size="sm" c="dimmed" role="timer">
        Hides in {secondsLeft} s
      </Text>
    </Stack>
  )
}
