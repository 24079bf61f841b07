import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { rememberEmail, rememberTarget } from '#features/account/auth/post-login.ts'

interface WaysInProps {
  here: string
  /** The address to fill into the forms. */
  email?: string
}

/** Sign in or sign up, for a visitor on a page that needs it. Both lead back to `here`. */
export function WaysIn({ here, email }: WaysInProps) {
  useEffect(() => {
    rememberTarget(here)
    if (email) rememberEmail(email)
  }, [here, email])
  return (
    <Group justify="center" gap="sm">
      <Button renderRoot={(props) => <Link {...props} to="/signin" search={{ redirect: here }} />}>
        Sign In
      </Button>
      <Button variant="default" component={Link} to="/sign-up">
        Sign Up
      </Button>
    </Group>
  )
}
