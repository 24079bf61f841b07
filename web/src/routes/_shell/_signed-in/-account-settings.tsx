import { Container, Stack, Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { AlertsCard } from '#features/account/notifications/AlertsCard.tsx'
import { NotificationsCard } from '#features/account/notifications/NotificationsCard.tsx'
import { DataCard } from '#features/account/profiles/DataCard.tsx'
import { DeleteAccountCard } from '#features/account/profiles/DeleteAccountCard.tsx'
import { ProfileCard } from '#features/account/profiles/ProfileCard.tsx'
import { CalendarCard } from '#features/money/calendar/CalendarCard.tsx'
import { CardsLink } from '#features/money/cards/CardsLink.tsx'
import { TimeZoneCard } from '#features/money/payments/TimeZoneCard.tsx'
import { WishesCard } from '#features/money/payments/WishesCard.tsx'
import { BankAccountLine } from '#features/money/wallet/BankAccountLine.tsx'
import { bankAccountQuery } from '#features/money/wallet/wallet.queries.ts'
import { BlockedCard } from '#features/people/blocks/BlockedCard.tsx'
import { ReviewsToWrite } from '#features/trust/reviews/ReviewsToWrite.tsx'
import { StandingCard } from '#features/trust/standing/FactsTable.tsx'
import { useSession, useUser } from '#lib/session.ts'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import PersonReviews from '../-PersonReviews.tsx'

/** Everything about the signed-in person's account. */
export function AccountSettings() {
  const user = useUser()
  const session = useSession()
  const navigate = useNavigate()
  const provider = session.status === 'signed-in' ? session.session.user.app_metadata.provider : undefined
  const { data: bankAccount } = useQuery(bankAccountQuery(user.id))
  const social = provider !== undefined && provider !== 'email'
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title="Account Settings" />
      <Stack gap="lg">
        <ProfileCard user={user} social={social} />
        <StandingCard userId={user.id}>
          <PersonReviews userId={user.id} name={user.name || 'you'} />
        </StandingCard>
        <ReviewsToWrite />
        <WishesCard userId={user.id} />
        <NotificationsCard />
        <AlertsCard />
        <SectionCard titleId="security-title" title="Security" align="flex-start">
          <Text c="dimmed">
            Your password, two-step sign-in and passkeys, where you are signed in, and what changed lately.
          </Text>
          <LinkButton
            to="/account-settings/security"
            variant="default"
            leftSection={<IconShieldLock size={18} />}
          >
            Open security
          </LinkButton>
        </SectionCard>
        <BlockedCard />
        <TimeZoneCard />
        <CalendarCard />
        <CardsLink />
        <DataCard />
        <DeleteAccountCard
          userId={user.id}
          email={user.email}
          hasBankAccount={Boolean(bankAccount)}
          bankAccount={<BankAccountLine userId={user.id} />}
          onDeleted={() => navigate({ to: '/' })}
        />
      </Stack>
    </Container>
  )
}
