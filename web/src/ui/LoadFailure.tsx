import { Button, Container } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { isRetryable, toAppError } from '#lib/errors.ts'
import { EmptyState } from './EmptyState.tsx'

/** A screen that could not be loaded: says what went wrong and offers to try again. */
export function LoadFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const title = router.state.matches.at(-1)?.staticData.openFailed ?? 'This page could not be loaded'
  const advice = isRetryable(error)
    ? 'The connection seems to be down. Check it, then try again.'
    : toAppError(error).message || 'An unexpected error occurred. Please try again later.'
  return (
    <Container size="sm" py="xl">
      <EmptyState order={1} title={title} action={<Button onClick={retry}>Try Again</Button>}>
        {advice}
      </EmptyState>
    </Container>
  )
}
