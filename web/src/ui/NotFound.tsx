import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from './EmptyState.tsx'
import { LinkButton } from './links.tsx'

interface NotFoundProps {
  title?: string
  children?: ReactNode
  /** The way back. */
  action?: ReactNode
}

/** The page for a URL that does not exist. */
export function NotFound({
  title = t`Oops! Page not found`,
  children = t`This pot is empty. The address may be old or mistyped.`,
  action = <LinkButton to="/">{t`Return to Home`}</LinkButton>,
}: NotFoundProps) {
  return (
    <Container size="sm" py={64}>
      <EmptyState order={1} title={title} action={action}>
        {children}
      </EmptyState>
    </Container>
  )
}
