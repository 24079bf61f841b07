import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { leadsTo } from '#features/account/notifications/notification.ts'
import { useMarkRead } from '#features/account/notifications/notifications.mutations.ts'
import { notificationsQuery } from '#features/account/notifications/notifications.queries.ts'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'

export const Route = createFileRoute('/_shell/_signed-in/notifications/$id')({
  staticData: { signInNotice: { title: t`Please sign in to see what this is about.` } },
  component: OpenNotification,
})

/** The target of push notifications: marks the notification read and opens its page, if any. */
function OpenNotification() {
  const { id } = Route.useParams()
  const { id: userId } = useUser()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(notificationsQuery(userId))
  const { mutate: markRead } = useMarkRead(userId)
  const told = data?.find((one) => one.id === id)
  const done = useRef('')
  useEffect(() => {
    if (!told || done.current === told.id) return
    done.current = told.id
    if (!told.read) markRead([told.id])
    const href = leadsTo(told)
    if (href) void navigate({ href, replace: true })
  }, [told, markRead, navigate])

  if ((!data && !error) || (told && leadsTo(told))) return <PageLoading />
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      {data ? (
        <EmptyState
          order={1}
          title={told?.title ?? t`We can’t find this notification`}
          action={<LinkButton to="/">{t`Go to Home`}</LinkButton>}
        >
          {told?.message ?? t`Your home page shows everything that waits for you.`}
        </EmptyState>
      ) : (
        <LoadAlert title={t`Failed to load notifications`} problem={error} onRetry={() => void refetch()} />
      )}
    </Container>
  )
}
