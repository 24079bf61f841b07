import { t } from '@lingui/core/macro'
import { Card, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ContractWithdrawals } from '#features/money/disputes/ContractWithdrawals.tsx'
import { DisputeList } from '#features/money/disputes/DisputeList.tsx'
import { DISPUTE_STATES } from '#features/money/disputes/dispute-words.ts'
import { type DisputeState, disputesQuery } from '#features/money/disputes/disputes.queries.ts'
import { FraudWarnings } from '#features/money/disputes/FraudWarnings.tsx'
import { PaymentEvents } from '#features/money/disputes/PaymentEvents.tsx'
import { ReturnedPayments } from '#features/money/disputes/ReturnedPayments.tsx'
import { SiteDebts } from '#features/money/disputes/SiteDebts.tsx'
import { PersonFilter } from '#features/staff/users/PersonFilter.tsx'
import { paymentProviderQuery } from '#lib/payments.ts'
import { given, keptRows } from '#lib/search.ts'
import { sortParam, toSorting } from '#lib/sorting.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

const STATES = Object.entries(DISPUTE_STATES).map(([value, label]) => ({ value, label }))
const searchSchema = z.object({
  state: given(z.enum(['open', 'won', 'lost'])),
  person: given(z.guid()),
  events: given(z.literal('seen')),
  rows: keptRows,
  sort: sortParam('opened_at', 'plan_name', 'charged', 'status'),
  eventSort: sortParam('received_at', 'type', 'finding'),
  eventRows: keptRows,
})

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/disputes')({
  validateSearch: searchSchema,
  component: Disputes,
})

/** Payments with problems outside this site: disputed at a bank, or known only to the payment provider. */
function Disputes() {
  const filter = Route.useSearch()
  const navigate = Route.useNavigate()
  const disputes = useInfiniteQuery(disputesQuery({ ...filter, sorting: toSorting(filter.sort) }))
  const { data: provider } = useQuery(paymentProviderQuery)
  const narrow = (change: Partial<typeof filter>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  return (
    <>
      <PageTitle
        title={t`Disputes`}
      >{t`Chargebacks, and provider events that match no payment here.`}</PageTitle>
      <Stack gap="lg">
        <Card component="section" aria-labelledby="chargebacks-title">
          <Title order={2} size="h3" id="chargebacks-title" mb="xs">
            {t`Chargebacks`}
          </Title>
          <Text c="dimmed" mb="md">
            {t`The place ends right away. We take what’s still held, then what the owner’s own account at Stripe was sent of the payment, then the member’s coins; the guarantee account covers the rest. Owners keep what they earned as coins.`}
          </Text>
          <Group gap="sm" mb="lg" align="flex-end">
            <PersonFilter person={filter.person} onChange={(person) => narrow({ person, rows: undefined })} />
            <Select
              label={t`State`}
              placeholder={t`All states`}
              data={STATES}
              value={filter.state ?? null}
              clearable
              flex="1 1 140px"
              maw={200}
              onChange={(state) =>
                narrow({ state: (state as DisputeState | null) ?? undefined, rows: undefined })
              }
            />
          </Group>
          <DisputeList
            disputes={disputes}
            stripeKey={provider?.provider === 'stripe' ? provider.publishableKey : undefined}
            isNarrowed={filter.person !== undefined || filter.state !== undefined}
          />
        </Card>
        <Card component="section" aria-labelledby="warnings-title">
          <Title order={2} size="h3" id="warnings-title" mb="xs">
            {t`Early fraud warnings`}
          </Title>
          <Text c="dimmed" mb="md">
            {t`A bank says its cardholder calls a payment fraud. Refunded in time, it doesn’t become a chargeback, and the provider’s fee for one is saved. You decide: nothing happens by itself.`}
          </Text>
          <FraudWarnings />
        </Card>
        <Card component="section" aria-labelledby="debts-title">
          <Title order={2} size="h3" id="debts-title" mb="xs">
            {t`Debts to the site`}
          </Title>
          <Text c="dimmed" mb="md">
            {t`A bank gave a debit back that had been refunded. Until the member has paid, they take out no coins and get no new place through the site.`}
          </Text>
          <SiteDebts />
        </Card>
        <Card component="section" aria-labelledby="contract-withdrawals-title">
          <Title order={2} size="h3" id="contract-withdrawals-title" mb="xs">
            {t`Withdrawals from contracts`}
          </Title>
          <Text c="dimmed" mb="md">
            {t`Within a year. After three, counted over accounts with the same card or bank account, a member gets new places through the site only once you let them.`}
          </Text>
          <ContractWithdrawals />
        </Card>
        <Card component="section" aria-labelledby="returned-title">
          <Title order={2} size="h3" id="returned-title" mb="xs">
            {t`Refunds at the provider`}
          </Title>
          <Text c="dimmed" mb="md">
            {t`Nobody pays for these places any more. With goodwill the place goes on, and the owner gets the refunded share as coins.`}
          </Text>
          <ReturnedPayments />
        </Card>
        <Card component="section" aria-labelledby="events-title">
          <Title order={2} size="h3" id="events-title" mb="xs">
            {t`Unknown events`}
          </Title>
          <Text c="dimmed" mb="md">
            {t`Provider events that match no payment, and differences from the nightly check. Nothing was booked for them.`}
          </Text>
          <PaymentEvents
            isSeen={filter.events === 'seen'}
            onSeen={(isSeen) => narrow({ events: isSeen ? 'seen' : undefined, eventRows: undefined })}
          />
        </Card>
      </Stack>
    </>
  )
}
