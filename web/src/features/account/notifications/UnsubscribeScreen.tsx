import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { NOT_FOUND, toAppError } from '#lib/errors.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'
import { useMailLink } from './notification-choices.ts'

/**
 * Turns off the person's mail as soon as the link is opened, whether or not they are signed in, and offers to turn it
 * on again.
 */
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
        title={t`This link doesn’t work`}
        action={<LinkButton to="/account-settings/notifications">{t`Go to Account Settings`}</LinkButton>}
      >
        {t`It may be incomplete. You can also choose your emails in Account Settings.`}
      </EmptyState>
    )
  if (error)
    return (
      <EmptyState
        order={1}
        title={t`That didn’t work`}
        action={<Button onClick={() => mutate(false)}>{t`Try Again`}</Button>}
      >
        {toAppError(error).message}
      </EmptyState>
    )
  if (wanted === undefined) return <PageLoading />
  const { title, text, other } = wanted
    ? {
        title: t`Emails turned on`,
        text: t`We email you when something needs your answer.`,
        other: t`Turn off emails`,
      }
    : {
        title: t`Emails turned off`,
        text: t`We’ll only email you before a charge. Everything else is in the app.`,
        other: t`Turn emails back on`,
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
