import { Button, Container } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from './EmptyState.tsx'

export function NotFound() {
  return (
    <Container size="sm" py={64}>
      <EmptyState
        order={1}
        title="Oops! Page not found"
        action={
          <Button component={Link} to="/">
            Return to Home
          </Button>
        }
      >
        There is nothing in this pot. The address may be old, or mistyped.
      </EmptyState>
    </Container>
  )
}
