import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '#ui/EmptyState.tsx'

/** What a mailed link shows to somebody who is not signed in. `here` is the address to come back to. */
export function InvitationWelcome({ here }: { here: string }) {
  return (
    <EmptyState
      order={1}
      mood="excited"
      title="There is a place for you"
      action={
        <Group justify="center" gap="sm">
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to="/signin" search={{ redirect: here }} />}
          >
            Sign In
          </Button>
          <Button component={Link} to="/sign-up">
            Sign Up
          </Button>
        </Group>
      }
    >
      Somebody wants to share a plan with you and split the cost. Sign in, or sign up with the e-mail address
      the invitation was sent to, and you are brought right back here.
    </EmptyState>
  )
}
