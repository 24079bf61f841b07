import { Container } from '@mantine/core'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { saySignOutFailed } from '#features/auth/auth.messages.ts'
import { signOut } from '#features/auth/auth.mutations.ts'
import { rememberTarget } from '#features/auth/post-login.ts'
import { InvitationScreen } from '#features/invitations/InvitationScreen.tsx'
import { InvitationWelcome } from '#features/invitations/InvitationWelcome.tsx'
import { useSession } from '#lib/session.ts'
import { PageLoading } from '#ui/PageLoading.tsx'
import { brandOf } from './-brand.tsx'

/** Where the link of an invitation leads, signed in or not. */
export const Route = createFileRoute('/_shell/invitation/$token')({ component: Invitation })

function Invitation() {
  const { token } = Route.useParams()
  // Not the address of this moment, which is already another one while this screen is being left.
  const here = `/invitation/${token}`
  const session = useSession()
  const navigate = useNavigate()
  const visitor = session.status === 'signed-out'
  useEffect(() => {
    if (visitor) rememberTarget(here)
  }, [visitor, here])

  if (session.status === 'loading') return <PageLoading />
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      {session.status === 'signed-out' ? (
        <InvitationWelcome here={here} />
      ) : (
        <InvitationScreen
          token={token}
          user={session.user}
          brandOf={brandOf}
          onJoined={(planId) =>
            void navigate({ to: '/manage-subscribed/$planId', params: { planId }, replace: true })
          }
          onSwitchAccount={() => void signOut().catch(saySignOutFailed)}
        />
      )}
    </Container>
  )
}
