import { Stack } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Agreement } from './Agreement.tsx'
import { SocialSignIn } from './SocialSignIn.tsx'

/** Replaces every e-mail form on sites where people sign in only through the operator's own provider. */
export function OnlyElsewhere({ wanted }: { wanted?: string | undefined }) {
  // Pages for visitors do not load the backend's client until it is needed, as here.
  const { connect } = useRouter().options.context
  useEffect(() => void connect().catch(() => undefined), [connect])
  return (
    <Stack gap="md">
      <SocialSignIn wanted={wanted} />
      <Agreement />
    </Stack>
  )
}
