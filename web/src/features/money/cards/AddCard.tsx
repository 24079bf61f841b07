import { t } from '@lingui/core/macro'
import { Button, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { providerQuery } from '#features/money/payments/provider.queries.ts'
import { useAddCard } from './cards.mutations.ts'
import { SimulatedCardForm } from './SimulatedCardForm.tsx'

/** Saves a card: with our own form in the simulation, otherwise on the provider's page. */
export function AddCard() {
  const { data: provider } = useQuery(providerQuery)
  const add = useAddCard()
  return (
    <Stack gap="sm" align="stretch">
      <Title order={2} size="h3">
        {t`Add a card`}
      </Title>
      {provider?.provider === 'simulated' && <SimulatedCardForm />}
      {provider?.provider === 'stripe' && (
        <>
          <Text c="dimmed">{t`You enter it on Stripe’s page. We only see the last four digits.`}</Text>
          <Button onClick={() => add.mutate(undefined)} loading={add.isPending} w="fit-content">
            {t`Continue to Stripe`}
          </Button>
        </>
      )}
      {provider === null && (
        <Text c="dimmed">{t`This site doesn’t take cards. Members pay owners directly.`}</Text>
      )}
    </Stack>
  )
}
