import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { recallTarget } from '#features/account/auth/post-login.ts'
import { offerQuery } from '#features/plans/browse/market.queries.ts'

/** The plan a visitor was looking at, shown while they sign in, so that they know it is not lost. */
export function PlanInView() {
  const [, asked] = /^\/plans\/([^/?#]+)/.exec(recallTarget()) ?? []
  const planId = asked && decodeURIComponent(asked)
  const { data: offer } = useQuery({ ...offerQuery(planId ?? ''), enabled: Boolean(planId) })
  if (!offer) return null
  return (
    <Text mb="lg">
      <Trans>
        Then you go on with{' '}
        <b>
          {offer.provider} {offer.name}
        </b>
        .
      </Trans>
    </Text>
  )
}
