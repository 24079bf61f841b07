import { Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core'

interface RecoveryCodesProps {
  codes: readonly string[]
  onKept: () => void
}

/** In groups of four, so that they can be copied by hand. */
const readable = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')

/** Shown once: nobody can read them again. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const lines = codes.map(readable)
  return (
    <Stack gap="md">
      <Text>
        Each of these codes signs you in once when your app is lost. Keep them where your phone is not. We
        cannot show them again.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {lines.map((line) => (
          <Code key={line} block ta="center">
            {line}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="flex-end" gap="sm">
        <CopyButton value={lines.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy all'}
            </Button>
          )}
        </CopyButton>
        <Button variant="primary" onClick={onKept}>
          I have kept them
        </Button>
      </Group>
    </Stack>
  )
}
