import { t } from '@lingui/core/macro'
import { Group } from '@mantine/core'
import { useEffect } from 'react'
import { LinkButton } from '#ui/links.tsx'
import { rememberEmail, rememberTarget } from './post-login.ts'

interface SignInLinksProps {
  here: string
  /** The e-mail address to fill into the forms. */
  email?: string
}

/** Links to sign in and to sign up, for a visitor on a page that requires signing in. Both lead back to `here`. */
export function SignInLinks({ here, email }: SignInLinksProps) {
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
