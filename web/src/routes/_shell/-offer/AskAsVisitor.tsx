import { Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { rememberTarget } from '#features/auth/post-login.ts'
import type { Offer } from '#features/browse/market.queries.ts'

/** The way to a place for somebody without an account: it leads through signing up, and back to where asking goes on. */
export function AskAsVisitor({ offer }: { offer: Pick<Offer, 'id' | 'provider' | 'name'> }) {
  const back = `/plans/${encodeURIComponent(offer.id)}?ask=true`
  const keep = () => rememberTarget(back)
  return (
    <Stack gap="xs">
      <Button
        aria-label={`Request to join ${offer.provider} ${offer.name}`}
        renderRoot={(root) => <Link {...root} to="/sign-up" onClick={keep} />}
      >
        Request to join
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        It takes an account, which is free.{' '}
        <Link to="/signin" search={{ redirect: back }} onClick={keep}>
          I have one
        </Link>
      </Text>
    </Stack>
  )
}
