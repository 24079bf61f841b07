import { t } from '@lingui/core/macro'
import { Alert, Box, Button, Container, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { AddCard } from '#features/money/cards/AddCard.tsx'
import { CardChoice } from '#features/money/cards/CardChoice.tsx'
import { debitTakesDays } from '#features/money/cards/card-words.ts'
import { useCheckPayment, usePay, whyNot } from '#features/money/cards/cards.mutations.ts'
import { cardsQuery, duePaymentQuery } from '#features/money/cards/cards.queries.ts'
import { periodText } from '#features/money/payments/period-text.ts'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { given } from '#lib/search.ts'
import { BackLink, LoneLink } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
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
  const { paymentId } = Route.useParams()
  const { back } = Route.useSearch()
  const [problem, setProblem] = useState<string | null>(null)
  // Used as a key, so that each attempt starts with a new choice.
  const [attempt, setAttempt] = useState(1)
  const { data: payment } = useQuery(duePaymentQuery(paymentId))
  const { data: cards } = useQuery(cardsQuery)
  const { mutate: check } = useCheckPayment()
  const pay = usePay(({ status, code }) => {
    setProblem(status === 'failed' ? whyNot(code) : null)
    setAttempt((count) => count + 1)
  })
  const checked = useRef(false)
  useEffect(() => {
    if (!back || checked.current) return
    checked.current = true
    check(paymentId)
  }, [back, check, paymentId])
  const isOpen = payment ? OPEN.includes(payment.status) : false
  const period = payment && periodText({ startsAt: payment.starts_at, endsAt: payment.ends_at })
  // A debt caused by a returned debit cannot be paid by another debit.
  const usable = cards?.filter(({ kind }) => !(payment?.isDebt && kind === 'sepa_debit'))
  const [wantsToAdd, setWantsToAdd] = useState(false)
  const adds = wantsToAdd || usable?.every(({ id }) => id === payment?.declined?.card)
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/payments">{t`My Payments`}</BackLink>
      <PageTitle title={t`Payment`} />
      <Stack gap="lg">
        <SimulationNotice />
        {payment === null && <Text>{t`We can’t find this payment.`}</Text>}
        {payment && (
          <SurfaceCard>
            <Stack gap="lg">
              <Group wrap="nowrap" gap="md">
                <ProviderLogo provider={payment.plan_name} size="line" />
                <Box flex={1}>
                  <Text fw={600}>{payment.plan_name}</Text>
                  {isOpen && period && (
                    <Text size="sm" c="dimmed">
                      {period}
                    </Text>
                  )}
                  {!isOpen && (
                    <Text>
                      {payment.status === 'paid'
                        ? t`Already paid`
                        : payment.status === 'processing'
                          ? `${t`Your bank is debiting it.`} ${debitTakesDays}`
                          : t`There’s nothing left to pay.`}
                    </Text>
                  )}
                </Box>
                {isOpen && <Money amount={payment.amount} fw={650} />}
              </Group>
              {problem && !payment.declined && (
                <Alert color="beet" role="alert">
                  {problem}
                </Alert>
              )}
              {isOpen && usable && usable.length > 0 && (
                <CardChoice
                  key={attempt}
                  cards={usable}
                  declined={payment.declined}
                  amount={payment.amount}
                  isBusy={pay.isPending}
                  onPay={(card) => pay.mutate({ payment: paymentId, card })}
                />
              )}
              {isOpen && adds && <AddCard />}
              <Group gap="md">
                {isOpen && usable && !adds && (
                  <Button variant="transparent" px={0} onClick={() => setWantsToAdd(true)}>
                    {t`Use another card`}
                  </Button>
                )}
                {payment.status === 'paid' && (
                  <LoneLink to="/payments/$paymentId" params={{ paymentId }}>
                    {t`See the receipt`}
                  </LoneLink>
                )}
                {payment.subscription_id !== null && (
                  <LoneLink to="/subscription/$planId" params={{ planId: payment.subscription_id }}>
                    {t`See the plan`}
                  </LoneLink>
                )}
              </Group>
            </Stack>
          </SurfaceCard>
        )}
      </Stack>
    </Container>
  )
}
