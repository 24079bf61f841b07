import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { LinkAnchor } from '#ui/links.tsx'

/** The note below the sign-up form: creating an account accepts the terms. */
export const Agreement = () => (
  <Text size="xs" c="dimmed" ta="center">
    <Trans>
      By creating an account you agree to the{' '}
      <LinkAnchor to="/terms" inherit underline="always">
        terms
      </LinkAnchor>{' '}
      and the{' '}
      <LinkAnchor to="/privacy" inherit underline="always">
        privacy notice
      </LinkAnchor>
      .
    </Trans>
  </Text>
)
