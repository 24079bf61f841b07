import { t } from '@lingui/core/macro'
import { Alert, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { cardsQuery } from './cards.queries.ts'
import { readRequest } from './request-before-card.ts'

/**
 * A link back to the join request that was interrupted to save a card. Once a card is saved, navigates back without a
 * click. `busy` is true while the card is being saved.
 */
export function BackToRequest({ busy }: { busy: boolean }) {
  const [request] = useState(readRequest)
  const { history } = useRouter()
  const { data: cards } = useQuery(cardsQuery)
  const done = !busy && (cards?.length ?? 0) > 0
  useEffect(() => {
    if (request && done) history.replace(request.path)
  }, [request, done, history])
  if (!request) return null
  return (
    <Alert color="gray" title={t`Finish your request for ${request.planName}`}>
      <Text size="sm" mb="sm">
        {t`Save a card to continue.`}
      </Text>
      <Button size="sm" variant="default" onClick={() => history.push(request.path)}>
        {t`Continue without a card`}
      </Button>
    </Alert>
  )
}
