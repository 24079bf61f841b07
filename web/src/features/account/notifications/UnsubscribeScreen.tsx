import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { NOT_FOUND, toAppError } from '#lib/errors.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
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

  if (error && toAppError(error).code === NOT_FOUND)
    return (
      <EmptyState
        order={1}
        title="This link doesn’t work"
        action={<LinkButton to="/account-settings/notifications">Go to Account Settings</LinkButton>}
      >
        It may be incomplete. You can also choose your emails in Account Settings.
      </EmptyState>
    )
  if (error)
    return (
      <EmptyState
        order={1}
        title="That didn’t work"
        action={<Button onClick={() => mutate(false)}>Try Again</Button>}
      >
        {toAppError(error).message}
      </EmptyState>
    )
  if (wanted === undefined) return <PageLoading />
  const { title, text, other } = wanted
    ? {
        title: 'Emails turned on',
        text: 'We email you when something needs your answer.',
        other: 'Turn off emails',
      }
    : {
        title: 'Emails turned off',
        text: 'We’ll only email you before a charge. Everything else is in the app.',
        other: 'Turn emails back on',
      }
  return (
    <EmptyState
      order={1}
      mood={wanted ? 'excited' : 'calm'}
      title={title}
      action={
        <Button variant="default" disabled={isPending} onClick={() => mutate(!wanted)}>
          {other}
        </Button>
      }
    >
      {text}
    </EmptyState>
  )
}
