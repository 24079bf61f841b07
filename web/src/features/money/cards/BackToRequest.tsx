import { Alert, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { readAsking } from './asking.ts'
import { cardsQuery } from './cards.queries.ts'

/** Leads back to the request that was interrupted to save a card, by itself once there is one. `busy` while one is being kept. */
export function BackToRequest({ busy }: { busy: boolean }) {
  const [asking] = useState(readAsking)
  const { history } = useRouter()
  const { data: cards } = useQuery(cardsQuery)
  const done = !busy && (cards?.length ?? 0) > 0
  useEffect(() => {
    if (asking && done) history.replace(asking.path)
  }, [asking, done, history])
  if (!asking) return null
  return (
    <Alert color="gray" title={`Your request for ${asking.planName} waits`}>
      <Text size="sm" mb="sm">
        Save a card, and you go on with it.
      </Text>
      <Button size="sm" variant="default" onClick={() => history.push(asking.path)}>
        Go on without a card
      </Button>
    </Alert>
  )
}
