import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Container, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { slashCycle } from '#domain/catalogue.ts'
import { feeNote, memberPays } from '#domain/fees.ts'
import { planName } from '#domain/plan-name.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { Money } from '#ui/Money.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import type { OfferedPlace } from './invitations.queries.ts'

interface InvitationCardProps {
  invitation: OfferedPlace
  /** False if the price is shown together with the reader's actions. */
  showsPrice: boolean
  /** The reader's actions on the invitation. */
  children: ReactNode
}

/** An invitation to a plan: its owner, and the cost of the place that is reserved for the reader. */
export function InvitationCard({ invitation, showsPrice, children }: InvitationCardProps) {
  const { provider, name, description, ownerName, ownerAvatarUrl, expiresAt } = invitation
  return (
    <Container size="xs" px={0} py="lg">
      <PageTitle title={t`You’re invited`} />
      <ProviderCard component="section" provider={provider} aria-label={`${provider} ${planName(name)}`}>
        <Group wrap="nowrap" gap="md">
          <ProviderLogo provider={provider} />
          <Stack gap={2} flex={1} miw={0}>
            <Title order={2} size="h3">
              {provider} {planName(name)}
            </Title>
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          </Stack>
        </Group>
        <Group wrap="nowrap" gap="sm" mt="lg">
          <PersonAvatar name={ownerName} src={ownerAvatarUrl} size={44} />
          <Text flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            <Trans>
              <Text span fw={600}>
                {ownerName}
              </Text>{' '}
              is keeping a place for you. The invitation expires <RelativeDate date={expiresAt} />.
            </Trans>
          </Text>
        </Group>
        {showsPrice && <Price invitation={invitation} />}
        {children}
      </ProviderCard>
    </Container>
  )
}

const Price = ({ invitation }: { invitation: OfferedPlace }) => (
  <Stack gap={0} mt="lg">
    <Text size="sm" c="dimmed">
      {t`Your share`}
    </Text>
    <Money
      amount={memberPays(invitation)}
      currency={invitation.currency}
      per={slashCycle(invitation.cycle)}
      fz={34}
      fw={700}
      lh={1.15}
    />
    <Text size="sm" c="dimmed">
      {feeNote(invitation)}
      {invitation.nextPayment && (
        <>
          {' · '}
          <Trans>
            renews <RelativeDate date={invitation.nextPayment} />
          </Trans>
        </>
      )}
    </Text>
  </Stack>
)
