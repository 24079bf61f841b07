import { Stack } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Agreement } from './Agreement.tsx'
import { SocialSignIn } from './SocialSignIn.tsx'

/** In place of every form by mail, where people sign in and up through the operator's own provider alone. */
export function ExternalSignInOnly({ wanted }: { wanted?: string | undefined }) {
  // A page that visitors only read does without the backend's client.
  const { connect } = useRouter().options.context
  useEffect(() => void connect().catch(() => undefined), [connect])
  return (
    <Stack gap="md">
      <SocialSignIn wanted={wanted} />
      <Agreement />
    </Stack>
  )
}
