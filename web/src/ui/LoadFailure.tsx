import { t } from '@lingui/core/macro'
import { Button, Container } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isRetryable, PART_MISSING, SESSION_UNKNOWN, toAppError } from '#lib/errors.ts'
import { useBackOnline, useOnline } from '#lib/online.ts'
import { isOnline, siteAnswers } from '#lib/site.ts'
import { EmptyState } from './EmptyState.tsx'
import { PageLoading } from './Skeletons.tsx'

/** A screen that could not be loaded, with the reason, and a retry by button or when the connection returns. */
export function LoadFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const online = useOnline()
  const { code, message } = toAppError(error)
  const retry = () => {
    if (code === PART_MISSING && isOnline()) {
      window.location.reload()
      return
    }
    reset()
    void router.invalidate()
  }
  useBackOnline(retry, { makesUp: true })
  // A missing part of the app means an update only if the site responds.
  const [asked, setAsked] = useState(code !== PART_MISSING)
  useEffect(() => {
    if (!asked) void siteAnswers(true).then(() => setAsked(true))
  }, [asked])
  if (!asked) return <PageLoading />
  const title = router.state.matches.at(-1)?.staticData.openFailed ?? t`This page could not be loaded`
  const advice =
    code !== SESSION_UNKNOWN && (!online || isRetryable(error))
      ? t`You seem to be offline. Check your connection and try again.`
      : message || t`An unexpected error occurred. Please try again later.`
  return (
    <Container size="sm" py="xl">
      <EmptyState order={1} title={title} action={<Button onClick={retry}>{t`Try Again`}</Button>}>
        {advice}
      </EmptyState>
    </Container>
  )
}
