import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { keepAsking } from './asking.ts'
import { cardsQuery } from './cards.queries.ts'

interface CardStepProps {
  /** Where the request goes on once a card is saved. */
  path: string
  planName: string
  /** What has been said by then. */
  draft: { message: string; coinsFirst: boolean }
  /** Coins pay the first month whole. */
  covered: boolean
}

/** Of a place that is paid by card: which card that is, or the way to save one first and come back. */
export function CardStep({ path, planName, draft, covered }: CardStepProps) {
  const { data: cards } = useQuery(cardsQuery)
  const navigate = useNavigate()
  if (!cards) return null
  const [card] = cards
  const toCards = () => {
    keepAsking({ path, planName, ...draft })
    void navigate({ to: '/cards', search: {} })
  }
  return (
    <Stack gap="sm">
      <SimulationNotice />
      {card ? (
        <Text size="sm">
          {covered ? 'A month that your coins do not cover is charged to your' : 'It is charged to your'}{' '}
          <Text span inherit tt="capitalize">
            {card.brand}
          </Text>{' '}
          ending {card.last4}.
        </Text>
      ) : covered ? (
        <Text size="sm">You need no card for the first month. Save one before your coins run out.</Text>
      ) : (
        <Alert color="honey" icon={<IconCreditCard aria-hidden />} title="You have no card saved yet">
          <Text size="sm" mb="sm">
            Save one now, and you come back here. You can also go on without: the place is then kept for 24
            hours, until you have paid.
          </Text>
          <Button size="sm" variant="default" onClick={toCards}>
            Save a card first
          </Button>
        </Alert>
      )}
    </Stack>
  )
}
