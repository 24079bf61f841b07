import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { planName } from '#domain/plan-name.ts'
import { saySignOutFailed } from '#features/account/auth/auth.messages.ts'
import { signOut } from '#features/account/auth/auth.mutations.ts'
import { SignInLinks } from '#features/account/auth/SignInLinks.tsx'
import { PlaceOffer } from '#features/joining/join-requests/PlaceOffer.tsx'
import { SimilarPlans } from '#features/plans/browse/SimilarPlans.tsx'
import { NOT_FOUND, PERMISSION_DENIED, toAppError } from '#lib/errors.ts'
import type { User } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'
import { InvitationCard } from './InvitationCard.tsx'
import { invitationTexts } from './invitations.messages.ts'
import { useAcceptInvitation, useDeclineInvitation } from './invitations.mutations.ts'
import { invitationQuery, type OfferedPlace } from './invitations.queries.ts'

interface InvitationScreenProps {
  token: string
  /** Null for a visitor. */
  user: User | null
}

/**
 * The page of a mailed invitation: the offered place with the buttons to answer, or why it can no longer be answered.
 */
export function InvitationScreen({ token, user }: InvitationScreenProps) {
  const { data: invitation, error, refetch } = useQuery(invitationQuery(token, user?.id ?? null))
  if (invitation?.status === 'open') {
    const { email } = invitation
    return (
      <InvitationCard invitation={invitation} showsPrice={!user}>
        {user ? (
          <InvitationAnswers token={token} userId={user.id} invitation={invitation} />
        ) : (
          <Stack mt="lg" gap="md">
            <Text style={{ overflowWrap: 'anywhere' }}>
              <Trans>
                Sign in or sign up with <b>{email}</b> to answer.
              </Trans>
            </Text>
            <SignInLinks here={`/invitation/${token}`} email={email} />
          </Stack>
        )}
      </InvitationCard>
    )
  }
  if (invitation) {
    const { title, text } = invitationTexts.over[invitation.status]
    const joined = invitation.status === 'accepted'
    return (
      <EmptyState
        order={1}
        title={title}
        mood={joined ? 'excited' : 'calm'}
        action={<WayOn joined={joined} />}
      >
        {text}
      </EmptyState>
    )
  }
  if (!error) return <PageLoading />
  const { code, message } = toAppError(error)
  if (user && code === PERMISSION_DENIED)
    return (
      <EmptyState
        order={1}
        title={invitationTexts.foreign.title}
        action={
          <Button onClick={() => void signOut().catch(saySignOutFailed)}>{t`Use another account`}</Button>
        }
      >
        <Trans>You’re signed in as {user.email}. Sign in with the address it was sent to.</Trans>
      </EmptyState>
    )
  if (code === NOT_FOUND)
    return (
      <>
        <EmptyState
          order={1}
          title={invitationTexts.unknown.title}
          action={<LinkButton to="/plans">{t`Browse Plans`}</LinkButton>}
        >
          {invitationTexts.unknown.text}
        </EmptyState>
        <SimilarPlans />
      </>
    )
  return (
    <EmptyState
      order={1}
      title={t`The invitation could not be loaded`}
      action={<Button onClick={() => void refetch()}>{t`Try Again`}</Button>}
    >
      {message}
    </EmptyState>
  )
}

interface InvitationAnswersProps {
  token: string
  userId: string
  invitation: OfferedPlace
}

/** The offered place, with the buttons to accept and to decline. */
function InvitationAnswers({ token, userId, invitation }: InvitationAnswersProps) {
  const [beginsAtOnce, setBeginsAtOnce] = useState(false)
  const navigate = useNavigate()
  const { subscriptionId: planId, provider, name, ownerName, settlement } = invitation
  const accept = useAcceptInvitation(
    token,
    userId,
    () => void navigate({ to: '/manage-subscribed/$planId', params: { planId }, replace: true }),
  )
  const decline = useDeclineInvitation(token)
  const busy = accept.isPending || decline.isPending
  const send = (event: FormEvent) => {
    event.preventDefault()
    accept.mutate(beginsAtOnce)
  }
  return (
    <Stack component="form" mt="lg" gap="lg" onSubmit={send}>
      <PlaceOffer
        {...{ planId, ownerName, settlement, beginsAtOnce }}
        duty="join"
        planName={`${provider} ${planName(name)}`}
        path={`/invitation/${token}`}
        onBeginsAtOnce={setBeginsAtOnce}
        button={{ disabled: busy, loading: accept.isPending }}
      />
      <Button variant="default" disabled={busy} onClick={() => decline.mutate()}>
        {t`Decline`}
      </Button>
    </Stack>
  )
}

function WayOn({ joined }: { joined: boolean }) {
  return joined ? (
    <LinkButton to="/my-subscriptions" search={{ tab: 'subscribed' }}>
      {t`Go to My Subscriptions`}
    </LinkButton>
  ) : (
    <LinkButton to="/">{t`Go to Home`}</LinkButton>
  )
}
