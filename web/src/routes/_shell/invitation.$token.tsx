import { Container } from '@mantine/core'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { saySignOutFailed } from '#features/account/auth/auth.messages.ts'
import { signOut } from '#features/account/auth/auth.mutations.ts'
import { InvitationScreen } from '#features/joining/invitations/InvitationScreen.tsx'
import { BeginAtOnce } from '#features/money/payments/BeginAtOnce.tsx'
import { HomeCountry } from '#features/money/payments/HomeCountry.tsx'
import { useSession } from '#lib/session.ts'
import { PageLoading } from '#ui/Skeletons.tsx'
import { brandOf } from './-brand.tsx'
import { Cost } from './-Cost.tsx'
import { WaysIn } from './-WaysIn.tsx'

/** The target of an invitation's link, signed in or not. */
export const Route = createFileRoute('/_shell/invitation/$token')({ component: Invitation })

function Invitation() {
  const { token } = Route.useParams()
  const session = useSession()
  const navigate = useNavigate()
  if (session.status === 'loading') return <PageLoading />
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <InvitationScreen
        token={token}
        user={session.status === 'signed-in' ? session.user : null}
        brandOf={brandOf}
        costOf={({ provider, name, ...place }, beginsAtOnce, onChange) => (
          <>
            <Cost
              planId={place.subscriptionId}
              planName={`${provider} ${name}`}
              ownerName={place.ownerName}
              settlement={place.settlement}
              path={`/invitation/${token}`}
            />
            {place.settlement === 'potluck' && (
              <>
                <HomeCountry required />
                <BeginAtOnce checked={beginsAtOnce} onChange={onChange} />
              </>
            )}
          </>
        )}
        onJoined={(planId) =>
          void navigate({ to: '/manage-subscribed/$planId', params: { planId }, replace: true })
        }
        onSwitchAccount={() => void signOut().catch(saySignOutFailed)}
        waysIn={(email) => <WaysIn here={`/invitation/${token}`} email={email} />}
      />
    </Container>
  )
}
