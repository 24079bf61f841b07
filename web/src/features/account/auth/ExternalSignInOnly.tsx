import { Stack } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Agreement } from './Agreement.tsx'
import { SocialSignIn } from './SocialSignIn.tsx'

/**
 * Replaces the e-mail forms on sites where people can sign in and sign up only through the operator's identity
 * provider.
 */
export function ExternalSignInOnly({ wanted }: { wanted?: string | undefined }) {
  // Pages for visitors do not load the backend's client. Load it now for the sign-in buttons.
  const { connect } = useRouter().options.context
  useEffect(() => void connect().catch(() => undefined), [connect])
  return (
    <Stack gap="md">
      <SocialSignIn wanted={wanted} />
      <Agreement />
    </Stack>
  )
}
