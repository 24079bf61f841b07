import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { rememberTarget } from '#features/auth/post-login.ts'
import type { OfferPage } from '#features/browse/market.queries.ts'

/** The way to a place for somebody without an account: it leads through signing up, and back to where asking goes on. */
export function AskAsVisitor({ offer }: { offer: OfferPage }) {
  const back = `/plans/${encodeURIComponent(offer.id)}?ask=true`
  const keep = () => rememberTarget(back)
  const full = offer.currentMembers + offer.kept >= offer.ownerMaxMembers
  if (!offer.offered) return <Button disabled>Not offered at the moment</Button>
  return (
    <Stack gap="xs">
      <Button
        aria-label={`${full ? 'Join the waiting list of' : 'Request to join'} ${offer.provider} ${offer.name}`}
        renderRoot={(root) => <Link {...root} to="/sign-up" onClick={keep} />}
      >
        {full ? 'Join the waiting list' : 'Request to join'}
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        It takes an account, which is free.{' '}
        <Anchor
          inherit
          renderRoot={(root) => <Link {...root} to="/signin" search={{ redirect: back }} onClick={keep} />}
        >
          I have one
        </Anchor>
      </Text>
    </Stack>
  )
}
