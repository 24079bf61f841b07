import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { ChatDialog } from '#features/people/chat/ChatDialog.tsx'
import { conversationSummaryQuery } from '#features/people/chat/chat.queries.ts'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { LinkButton } from '#ui/links.tsx'
import { NotFound } from '#ui/NotFound.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'

export const Route = createFileRoute('/_shell/_signed-in/messages/$conversationId')({
  staticData: { signInNotice: { title: t`Please sign in to read your messages.` } },
  component: OpenChat,
})

/** The target of push notifications and mails about messages: opens the chat and, when it is closed, its plan. */
function OpenChat() {
  const { conversationId } = Route.useParams()
  const { id: userId } = useUser()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(conversationSummaryQuery(userId, conversationId))
  if (data)
    return (
      <>
        <EmptyState order={1} title={data.name}>
          {data.planName}
        </EmptyState>
        <ChatDialog
          partner={data}
          userId={userId}
          onClose={() => {
            const planId = data.parties.planId
            void (data.archived
              ? navigate({ to: '/', replace: true })
              : navigate({ to: '/subscription/$planId', params: { planId }, replace: true }))
          }}
        />
      </>
    )
  if (data === undefined && !error) return <PageLoading />
  if (error)
    return (
      <Container py={{ base: 'md', sm: 'lg' }}>
        <PageTitle title={t`Messages`} />
        <LoadAlert title={t`Failed to load the chat`} problem={error} onRetry={() => void refetch()} />
      </Container>
    )
  return (
    <NotFound
      title={t`We can’t find this chat`}
      action={<LinkButton to="/messages">{t`Go to Messages`}</LinkButton>}
    >
      {t`None of your chats has this address.`}
    </NotFound>
  )
}
