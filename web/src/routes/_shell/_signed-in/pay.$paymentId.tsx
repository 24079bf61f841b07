import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Container, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { formatMoney } from '#domain/money.ts'
import { AddCard } from '#features/money/cards/AddCard.tsx'
import { CardList } from '#features/money/cards/CardList.tsx'
import { debitTakesDays } from '#features/money/cards/card-words.ts'
import { useCheckPayment, usePay, whyNot } from '#features/money/cards/cards.mutations.ts'
import { cardsQuery, duePaymentQuery } from '#features/money/cards/cards.queries.ts'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

export const Route = createFileRoute('/_shell/_signed-in/pay/$paymentId')({
  staticData: { signInNotice: { title: t`Please sign in to pay.` } },
  /** Set when the person returns from the bank's confirmation. */
  validateSearch: z.object({ back: given(z.number()) }),
  component: Pay,
})

const OPEN = ['due', 'charging', 'needs-action', 'failed']

function Pay() {
  const { id: userId } = useUser()
  const { paymentId } = Route.useParams()
  const { back } = Route.useSearch()
  const [problem, setProblem] = useState<string | null>(null)
  const { data: payment } = useQuery(duePaymentQuery(paymentId))
  const { data: cards = [] } = useQuery(cardsQuery)
  const { mutate: check } = useCheckPayment()
  const pay = usePay(({ status, code }) => setProblem(status === 'failed' ? whyNot(code) : null))
  const checked = useRef(false)
  useEffect(() => {
    if (!back || checked.current) return
    checked.current = true
    check(paymentId)
  }, [back, check, paymentId])
  const declined = payment?.declined ?? null
  const card = cards.find(
    ({ id, kind }) =>
      id !== declined?.card &&
      // A debt caused by a returned debit cannot be paid by another debit.
      !(payment?.isDebt && kind === 'sepa_debit'),
  )
  const payWith = (card: string | null) => pay.mutate({ payment: paymentId, card })
  const isOpen = payment ? OPEN.includes(payment.status) : false
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title={t`Payment`} />
      <Stack gap="lg">
        <SimulationNotice />
        {problem && (
          <Alert color="beet" role="alert">
            {problem}
          </Alert>
        )}
        {payment === null && <Text>{t`We can’t find this payment.`}</Text>}
        {payment && (
          <SurfaceCard>
            <Stack gap="md">
              <Group wrap="nowrap" gap="md">
                <ProviderLogo provider={payment.plan_name} size="line" />
                <Text>
                  {t`${{ amount: formatMoney(payment.amount) }} for ${{ plan: payment.plan_name }}.`}{' '}
                  {payment.status === 'paid' && t`Already paid`}
                  {payment.status === 'processing' && `${t`Your bank is debiting it.`} ${debitTakesDays}`}
                  {!isOpen &&
                    !['paid', 'processing'].includes(payment.status) &&
                    t`There’s nothing left to pay.`}
                </Text>
              </Group>
              <Group>
                {isOpen && (
                  <Button loading={pay.isPending} disabled={!card} onClick={() => payWith(card?.id ?? null)}>
                    <Trans>Pay {formatMoney(payment.amount)}</Trans>
                  </Button>
                )}
                {payment.subscription_id === null ? (
                  <LinkButton variant="default" to="/payments">
                    {t`Back to my payments`}
                  </LinkButton>
                ) : (
                  <LinkButton
                    variant="default"
                    to="/subscription/$planId"
                    params={{ planId: payment.subscription_id }}
                  >
                    {t`Back to the plan`}
                  </LinkButton>
                )}
              </Group>
            </Stack>
          </SurfaceCard>
        )}
        {isOpen && (
          <SurfaceCard>
            <Stack gap="lg">
              <CardList
                userId={userId}
                paying={{
                  card: card?.id,
                  declined,
                  isBusy: pay.isPending,
                  onRetry: () => payWith(declined?.card ?? null),
                }}
              />
              <AddCard />
            </Stack>
          </SurfaceCard>
        )}
      </Stack>
    </Container>
  )
}
