import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { toAppError } from '#lib/errors.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'
import { useMailLink } from './notification-choices.ts'

/** Stops the mail as soon as its link is opened, signed in or not, and offers to take that back. */
export function UnsubscribeScreen({ token }: { token: string }) {
  const { mutate, data: wanted, error, isPending } = useMailLink(token)
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    mutate(false)
  }, [mutate])

  if (error) {
    const unknown = toAppError(error).code === 'PT404'
    return (
      <EmptyState
        order={1}
        title={unknown ? 'This link is not known' : 'That did not work'}
        action={
          unknown ? (
            <Button component={Link} to="/account-settings">
              Go to Account Settings
            </Button>
          ) : (
            <Button onClick={() => mutate(false)}>Try Again</Button>
          )
        }
      >
        {unknown
          ? 'It may be incomplete. You can choose what we e-mail you in your account settings, too.'
          : toAppError(error).message}
      </EmptyState>
    )
  }
  if (wanted === undefined) return <PageLoading />
  return wanted ? (
    <EmptyState
      order={1}
      mood="excited"
      title="You get these e-mails again"
      action={
        <Button variant="default" disabled={isPending} onClick={() => mutate(false)}>
          Stop them
        </Button>
      }
    >
      We write when something needs your answer and you have not seen it here.
    </EmptyState>
  ) : (
    <EmptyState
      order={1}
      title="No more e-mails"
      action={
        <Button variant="default" disabled={isPending} onClick={() => mutate(true)}>
          Send them again
        </Button>
      }
    >
      We no longer write when you are away. You still find everything on Potluck.
    </EmptyState>
  )
}
