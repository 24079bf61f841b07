import { t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { isPreviewHost, startDevelopmentSession } from './development-session.ts'

/** The button to sign in as the development user. Only development and preview builds load it. */
export default function DevelopmentLogin() {
  if (!isPreviewHost(window.location.hostname)) return null
  return (
    <>
      <Button variant="default" fullWidth mt="lg" onClick={startDevelopmentSession}>
        {t`Quick Development Login`}
      </Button>
      <Text size="xs" c="dimmed" ta="center" mt={4}>
        {t`For testing in preview environments`}
      </Text>
    </>
  )
}
