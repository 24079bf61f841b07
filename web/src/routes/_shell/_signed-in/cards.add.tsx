import { t } from '@lingui/core/macro'
import { Container, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { addTitle, debitTakesDays, noCards } from '#features/money/cards/card-words.ts'
import { SimulatedCardForm } from '#features/money/cards/SimulatedCardForm.tsx'
import { StripeForm } from '#features/money/cards/StripeForm.tsx'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { paymentProviderQuery } from '#lib/payments.ts'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

/**
 * The only page that runs a third-party script. The server allows the script only at this path (page-sources.json), and
 * main.tsx keeps the document on this page.
 */
export const Route = createFileRoute('/_shell/_signed-in/cards/add')({
  staticData: { signInNotice: { title: t`Please sign in to see your cards.` } },
  component: Add,
})

function Add() {
  const { data: provider } = useQuery(paymentProviderQuery)
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/cards">{t`Cards`}</BackLink>
      <PageTitle title={addTitle(provider?.methods)} />
      <SimulationNotice mb="lg" />
      <SurfaceCard>
        <Stack gap="md">
          {provider?.provider === 'stripe' && provider.methods.includes('sepa_debit') && (
            <Text c="dimmed">
              {t`A bank account is debited by SEPA Direct Debit, and we announce each debit by email.`}{' '}
              {debitTakesDays}
            </Text>
          )}
          {provider?.provider === 'simulated' && <SimulatedCardForm />}
          {provider?.provider === 'stripe' && <StripeForm provider={provider} />}
          {provider === null && noCards}
        </Stack>
      </SurfaceCard>
    </Container>
  )
}
