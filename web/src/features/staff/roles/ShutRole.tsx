import { Button, Container } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '#ui/EmptyState.tsx'

/** In place of the administration, while it asks for more than this session shows. */
export function ShutRole() {
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <EmptyState
        order={1}
        title="Your role needs a second factor"
        action={
          <Button component={Link} to="/account-settings/security">
            Open security settings
          </Button>
        }
      >
        This site asks everybody on staff for an authenticator app or a passkey. Switch on two-step sign-in
        and the administration opens; if you have a passkey, sign out and sign in with it.
      </EmptyState>
    </Container>
  )
}
