import { t } from '@lingui/core/macro'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { paymentProviderQuery } from '#lib/payments.ts'
import { LinkButton } from '#ui/links.tsx'
import { addTitle, noCards } from './card-words.ts'
import { SimulatedCardForm } from './SimulatedCardForm.tsx'

/** Saves a card or bank account: in the simulation with our own form, otherwise with Stripe's form on another page. */
export function AddCard() {
  const { data: provider } = useQuery(paymentProviderQuery)
  const title = addTitle(provider?.methods)
  return (
    <Stack gap="sm" align="stretch">
      <Title order={2} size="h3">
        {title}
      </Title>
      {provider?.provider === 'simulated' && <SimulatedCardForm />}
      {provider?.provider === 'stripe' && (
        <>
          <Text c="dimmed">{t`You enter it in Stripe’s form. We only see its last four digits.`}</Text>
          {/* Loads a new document, since only the document of /cards/add is allowed to run Stripe's script. */}
          <LinkButton to="/cards/add" reloadDocument w="fit-content">
            {title}
          </LinkButton>
        </>
      )}
      {provider === null && <Text c="dimmed">{noCards}</Text>}
    </Stack>
  )
}
