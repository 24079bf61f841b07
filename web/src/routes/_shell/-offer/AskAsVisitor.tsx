import { Button, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { isFull } from '#domain/slots.ts'
import { rememberTarget } from '#features/account/auth/post-login.ts'
import type { OfferPage } from '#features/plans/browse/market.queries.ts'
import { LinkAnchor, LinkButton } from '#ui/links.tsx'

/** Lets a visitor ask for a place: signing in, which takes only an address, leads back to asking. */
export function AskAsVisitor({ offer }: { offer: OfferPage }) {
  const here = `/plans/${encodeURIComponent(offer.id)}`
  const back = `${here}?ask=true`
  const full = isFull(offer)
  // The sign-in link in the mail leads back here, even in another tab.
  useEffect(() => rememberTarget(back), [back])
  if (!offer.offered) return <Button disabled>Not offered at the moment</Button>
  return (
    <Stack gap="xs">
      <LinkButton
        aria-label={`${full ? 'Join the waiting list of' : 'Request to join'} ${offer.provider} ${offer.name}`}
        to="/signin"
        search={{ redirect: back }}
      >
        {full ? 'Join the waiting list' : 'Request to join'}
      </LinkButton>
      <Text size="sm" c="dimmed" ta="center">
        You sign in first: an e-mail address is enough, and it is free.{' '}
        <LinkAnchor inherit to="/signin" search={{ redirect: here }} onClick={() => rememberTarget(here)}>
          Ask {offer.ownerName} a question
        </LinkAnchor>
      </Text>
    </Stack>
  )
}
