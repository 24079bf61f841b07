import { Button, Text } from '@mantine/core'
import { isPreviewHost, startDevelopmentSession } from './development-session.ts'

/** Loaded by development and preview builds only. */
export default function DevelopmentLogin() {
  if (!isPreviewHost(window.location.hostname)) return null
  return (
    <>
      <Button variant="default" fullWidth mt="lg" onClick={startDevelopmentSession}>
        Quick Development Login
      </Button>
      <Text size="xs" c="dimmed" ta="center" mt={4}>
        For testing in preview environments
      </Text>
    </>
  )
}
