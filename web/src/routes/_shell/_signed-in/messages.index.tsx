import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { AllConversations } from '#features/people/chat/ConversationList.tsx'
import { conversationsQuery } from '#features/people/chat/chat.queries.ts'
import { useUser } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/messages/')({
  staticData: { signInNotice: { title: t`Please sign in to read your messages.` } },
  loader: ({ context: { queryClient: cache, user } }) =>
    void cache.prefetchInfiniteQuery(conversationsQuery(user.id)),
  component: Messages,
})

/** The chats of a person with owners and members. */
function Messages() {
  const { id: userId } = useUser()
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title={t`Messages`} />
      <AllConversations userId={userId} />
    </Container>
  )
}
