import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'

/** Replaces the administration while the session lacks the second factor that the site requires of staff. */
export function RoleLocked() {
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <EmptyState
        order={1}
        title={t`Your role needs a second factor`}
        action={<LinkButton to="/account-settings/security">{t`Open security settings`}</LinkButton>}
      >
        {t`Staff need an authenticator app or a passkey. Set up two-step sign-in, or sign in again with your passkey.`}
      </EmptyState>
    </Container>
  )
}
