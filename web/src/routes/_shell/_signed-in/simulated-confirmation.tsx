import { t } from '@lingui/core/macro'
import { Button, Container, Group, Stack, Text } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { useAnswer } from '#features/money/cards/cards.mutations.ts'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { given } from '#lib/search.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

export const Route = createFileRoute('/_shell/_signed-in/simulated-confirmation')({
  staticData: { signInNotice: { title: t`Please sign in to confirm.` } },
  /** `id`: the charge or the card setup to confirm. `payment`: the payment of the charge; absent for a card. */
  validateSearch: z.object({
    id: z.catch(z.string(), ''),
    payment: given(z.string()),
  }),
  component: Confirmation,
})

/** The simulation's stand-in for a bank's confirmation page. */
function Confirmation() {
  const { id, payment } = Route.useSearch()
  const navigate = Route.useNavigate()
  const answer = useAnswer(() =>
    payment
      ? navigate({ to: '/pay/$paymentId', params: { paymentId: payment }, search: { back: 1 } })
      : navigate({ to: '/cards', search: {} }),
  )
  return (
    <Container size="xs" py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title={t`Confirm with your bank`} />
      <Stack gap="lg">
        <SimulationNotice />
        <SurfaceCard>
          <Stack gap="md">
            <Text>{payment ? t`Is this payment yours?` : t`Do you want to save this card?`}</Text>
            <Group>
              <Button loading={answer.isPending} onClick={() => answer.mutate({ id, agrees: true })}>
                {t`Confirm`}
              </Button>
              <Button variant="default" onClick={() => answer.mutate({ id, agrees: false })}>
                {t`Refuse`}
              </Button>
            </Group>
          </Stack>
        </SurfaceCard>
      </Stack>
    </Container>
  )
}
