import { t } from '@lingui/core/macro'
import { Group } from '@mantine/core'
import { useEffect } from 'react'
import { rememberEmail, rememberTarget } from '#features/account/auth/post-login.ts'
import { LinkButton } from '#ui/links.tsx'

interface WaysInProps {
  here: string
  /** The address to fill into the forms. */
  email?: string
}

/** Sign-in and sign-up for a visitor on a page that needs an account. Both return to `here`. */
export function WaysIn({ here, email }: WaysInProps) {
  useEffect(() => {
    rememberTarget(here)
    if (email) rememberEmail(email)
  }, [here, email])
  return (
    <Group justify="center" gap="sm">
      <LinkButton to="/signin" search={{ redirect: here }}>
        {t`Sign In`}
      </LinkButton>
      <LinkButton variant="default" to="/sign-up">
        {t`Sign Up`}
      </LinkButton>
    </Group>
  )
}
