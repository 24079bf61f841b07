import { t } from '@lingui/core/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyField } from '#ui/CopyField.tsx'

/** Shows a webhook's secret, which cannot be shown again. */
export function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Stack gap="md">
      <CopyField label={t`Secret`} value={secret} />
      <Text size="sm">{t`We show it only once. With it your program can check that a call comes from us. Programs that don’t check signatures don’t need it.`}</Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t`Done`}</Button>
      </Group>
    </Stack>
  )
}
