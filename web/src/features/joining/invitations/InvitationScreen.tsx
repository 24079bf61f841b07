import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { NOT_FOUND, PERMISSION_DENIED, toAppError } from '#lib/errors.ts'
import type { User } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { InvitationCard } from './InvitationCard.tsx'
import { invitationTexts } from './invitations.messages.ts'
import { useAcceptInvitation, useDeclineInvitation } from './invitations.mutations.ts'
import { invitationQuery, type OfferedPlace } from './invitations.queries.ts'

/** Renders the cost of a place, when it is due, the terms of leaving, and the consent to begin at once. */
type CostOf = (
  invitation: OfferedPlace,
  beginsAtOnce: boolean,
  onChange: (beginsAtOnce: boolean) => void,
) => ReactNode

interface InvitationScreenProps {
  token: string
  /** Null for a visitor. */
  user: User | null
  brandOf: (provider: string) => Brand
  costOf: CostOf
  onJoined: (planId: string) => void
  /** Signs out, so that another account can answer. */
  onSwitchAccount: () => void
  /** The form with which a visitor signs in or up with the invited address. */
  waysIn: (email: string) => ReactNode
}

/** The page of a mailed invitation: the plan with the two answers, or why the invitation is over. */
export function InvitationScreen({ token, user, brandOf, costOf, waysIn, ...on }: InvitationScreenProps) {
  const { data: invitation, error, refetch } = useQuery(invitationQuery(token, user?.id ?? null))
  if (invitation?.status === 'open') {
    const { provider, subscriptionId, email } = invitation
    return (
      <InvitationCard invitation={invitation} brand={brandOf(provider)}>
        {user ? (
          <InvitationAnswers
            token={token}
            userId={user.id}
            invitation={invitation}
            costOf={costOf}
            onJoined={() => on.onJoined(subscriptionId)}
          />
        ) : (
          <Stack mt="lg" gap="md">
            <Text style={{ overflowWrap: 'anywhere' }}>
              <Trans>
                Sign in or sign up with <b>{email}</b> to answer.
              </Trans>
            </Text>
            {waysIn(email)}
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
        action={<Button onClick={on.onSwitchAccount}>{t`Use another account`}</Button>}
      >
        <Trans>You’re signed in as {user.email}. Sign in with the address it was sent to.</Trans>
      </EmptyState>
    )
  if (code === NOT_FOUND)
    return (
      <EmptyState order={1} title={invitationTexts.unknown.title} action={<WayOn joined={false} />}>
        {invitationTexts.unknown.text}
      </EmptyState>
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
  costOf: CostOf
  onJoined: () => void
}

/** The cost of the place and the two answers. */
function InvitationAnswers({ token, userId, invitation, costOf, onJoined }: InvitationAnswersProps) {
  const [beginsAtOnce, setBeginsAtOnce] = useState(false)
  const accept = useAcceptInvitation(token, userId, invitation, onJoined)
  const decline = useDeclineInvitation(token)
  const busy = accept.isPending || decline.isPending
  const send = (event: FormEvent) => {
    event.preventDefault()
    accept.mutate(beginsAtOnce)
  }
  return (
    <Stack component="form" mt="lg" gap="lg" onSubmit={send}>
      {costOf(invitation, beginsAtOnce, setBeginsAtOnce)}
      <Group gap="sm" grow>
        <Button variant="default" disabled={busy} onClick={() => decline.mutate()}>
          {t`Decline`}
        </Button>
        <Button type="submit" disabled={busy} loading={accept.isPending}>
          {t`Accept`}
        </Button>
      </Group>
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
