import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { EmptyState } from './EmptyState.tsx'
import { LinkButton } from './links.tsx'

export function NotFound() {
  return (
    <Container size="sm" py={64}>
      <EmptyState
        order={1}
        title={t`Oops! Page not found`}
        action={<LinkButton to="/">{t`Return to Home`}</LinkButton>}
      >
        {t`This pot is empty. The address may be old or mistyped.`}
      </EmptyState>
    </Container>
  )
}
