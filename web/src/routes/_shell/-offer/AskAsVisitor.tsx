import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { isFull } from '#domain/slots.ts'
import { EmailLinkForm } from '#features/account/auth/EmailLinkForm.tsx'
import { rememberTarget } from '#features/account/auth/post-login.ts'
import type { OfferPage } from '#features/plans/browse/market.queries.ts'

/** Lets a visitor start a join request or a question: they give an address, and the mailed link returns to the form. */
export function AskAsVisitor({ offer }: { offer: OfferPage }) {
  const here = `/plans/${encodeURIComponent(offer.id)}`
  const back = `${here}?ask=true`
  const full = isFull(offer)
  const title = `${offer.provider} ${offer.name}`
  const [target, setTarget] = useState<string | null>(null)
  // Also return here after signing in through the header.
  useEffect(() => rememberTarget(back), [back])
  if (!offer.offered) return <Button disabled>{t`Not available right now`}</Button>
  if (target !== null) return <EmailLinkForm target={target} from={here} />
  return (
    <Stack gap="xs">
      <Button
        aria-label={full ? t`Join the waiting list of ${title}` : t`Request to join ${title}`}
        onClick={() => setTarget(back)}
      >
        {full ? t`Join the waiting list` : t`Request to join`}
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        <Trans>
          All we need is your name and email.{' '}
          <Anchor component="button" type="button" inherit onClick={() => setTarget(here)}>
            Ask {offer.ownerName} a question
          </Anchor>
        </Trans>
      </Text>
    </Stack>
  )
}
