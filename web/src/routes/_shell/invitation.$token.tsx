import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { InvitationScreen } from '#features/joining/invitations/InvitationScreen.tsx'
import { useSession } from '#lib/session.ts'
import { PageLoading } from '#ui/Skeletons.tsx'

/** The target of an invitation's link, signed in or not. */
export const Route = createFileRoute('/_shell/invitation/$token')({ component: Invitation })

function Invitation() {
  const { token } = Route.useParams()
  const session = useSession()
  if (session.status === 'loading') return <PageLoading />
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <InvitationScreen token={token} user={session.status === 'signed-in' ? session.user : null} />
    </Container>
  )
}
