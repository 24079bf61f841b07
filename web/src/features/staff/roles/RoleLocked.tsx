import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'

/** Stands in for the administration while the session lacks the second factor it asks for. */
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
