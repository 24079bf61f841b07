import { t } from '@lingui/core/macro'
import { Card, Group, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { ContractWithdrawals } from '#features/money/disputes/ContractWithdrawals.tsx'
import { DisputeList } from '#features/money/disputes/DisputeList.tsx'
import { DISPUTE_STATES } from '#features/money/disputes/dispute-words.ts'
import {
  contractWithdrawalsQuery,
  type DisputeState,
  disputesQuery,
  fraudWarningsQuery,
  paymentEventsQuery,
  returnedPaymentsQuery,
  siteDebtsQuery,
} from '#features/money/disputes/disputes.queries.ts'
import { FraudWarnings } from '#features/money/disputes/FraudWarnings.tsx'
import { PaymentEvents } from '#features/money/disputes/PaymentEvents.tsx'
import { ReturnedPayments } from '#features/money/disputes/ReturnedPayments.tsx'
import { SiteDebts } from '#features/money/disputes/SiteDebts.tsx'
import { PersonFilter } from '#features/staff/users/PersonFilter.tsx'
import { paymentProviderQuery } from '#lib/payments.ts'
import { given, keptRows } from '#lib/search.ts'
import { sortParam, toSorting } from '#lib/sorting.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'

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
  const { events } = Route.useSearch()
  const navigate = Route.useNavigate()
  const isSeen = events === 'seen'
  return (
    <>
      <PageTitle
        title={t`Disputes`}
      >{t`Chargebacks, and provider events that match no payment here.`}</PageTitle>
      <SegmentedControl
        aria-label={t`Which disputes`}
        styles={{ label: { paddingBlock: 9 } }}
        mb="lg"
        value={isSeen ? 'seen' : 'new'}
        onChange={(value) =>
          void navigate({
            search: (now) => ({
              ...now,
              events: value === 'seen' ? 'seen' : undefined,
              eventRows: undefined,
            }),
            resetScroll: false,
          })
        }
        data={[
          { value: 'new', label: t`To look at` },
          { value: 'seen', label: t`Looked at` },
        ]}
      />
      {isSeen ? <SeenEvents /> : <OpenCases />}
    </>
  )
}

/** The kinds of cases that have entries. */
function OpenCases() {
  const filter = Route.useSearch()
  const navigate = Route.useNavigate()
  const disputes = useInfiniteQuery(disputesQuery({ ...filter, sorting: toSorting(filter.sort) }))
  const { data: provider } = useQuery(paymentProviderQuery)
  const warnings = useQuery(fraudWarningsQuery)
  const debts = useQuery(siteDebtsQuery)
  const contractWithdrawals = useQuery(contractWithdrawalsQuery('member'))
  const returned = useQuery(returnedPaymentsQuery)
  const events = useInfiniteQuery(paymentEventsQuery(false, toSorting(filter.eventSort)))
  const isNarrowed = filter.person !== undefined || filter.state !== undefined
  const narrow = (change: Partial<typeof filter>) =>
    void navigate({ search: (now) => ({ ...now, ...change, rows: undefined }), resetScroll: false })
  const kinds = [disputes, warnings, debts, contractWithdrawals, returned, events]
  if (!isNarrowed && !kinds.some(isShown))
    return kinds.some(({ isPending }) => isPending) ? (
      <RowsSkeleton rows={4} />
    ) : (
      <EmptyState order={2} title={t`No disputes`}>
        {t`You’re all caught up.`}
      </EmptyState>
    )
  return (
    <Stack gap="lg">
      {(isNarrowed || isShown(disputes)) && (
        <Part
          id="chargebacks-title"
          title={t`Chargebacks`}
          about={t`The place ends right away. We take what’s still held, then what the owner’s own account at Stripe was sent of the payment, then the member’s coins; the guarantee account covers the rest. Owners keep what they earned as coins.`}
        >
          <Group gap="sm" mb="lg" align="flex-end">
            <PersonFilter person={filter.person} onChange={(person) => narrow({ person })} />
            <Select
              label={t`State`}
              placeholder={t`All states`}
              data={STATES}
              value={filter.state ?? null}
              clearable
              flex="1 1 140px"
              maw={200}
              onChange={(state) => narrow({ state: (state as DisputeState | null) ?? undefined })}
            />
          </Group>
          <DisputeList
            disputes={disputes}
            stripeKey={provider?.provider === 'stripe' ? provider.publishableKey : undefined}
          />
        </Part>
      )}
      {isShown(warnings) && (
        <Part
          id="warnings-title"
          title={t`Early fraud warnings`}
          about={t`A bank says its cardholder calls a payment fraud. Refunded in time, it doesn’t become a chargeback, and the provider’s fee for one is saved. You decide: nothing happens by itself.`}
        >
          <FraudWarnings />
        </Part>
      )}
      {isShown(debts) && (
        <Part
          id="debts-title"
          title={t`Debts to the site`}
          about={t`A bank gave a debit back that had been refunded. Until the member has paid, they take out no coins and get no new place through the site.`}
        >
          <SiteDebts />
        </Part>
      )}
      {isShown(contractWithdrawals) && (
        <Part
          id="contract-withdrawals-title"
          title={t`Withdrawals from contracts`}
          about={t`Within a year. After three, counted over accounts with the same card or bank account, a member gets new places through the site only once you let them.`}
        >
          <ContractWithdrawals />
        </Part>
      )}
      {isShown(returned) && (
        <Part
          id="returned-title"
          title={t`Refunds at the provider`}
          about={t`Nobody pays for these places any more. With goodwill the place goes on, and the owner gets the refunded share as coins.`}
        >
          <ReturnedPayments />
        </Part>
      )}
      {isShown(events) && (
        <Part
          id="events-title"
          title={t`Unknown events`}
          about={t`Provider events that match no payment, and differences from the nightly check. Nothing was booked for them.`}
        >
          <PaymentEvents isSeen={false} />
        </Part>
      )}
    </Stack>
  )
}

/** A kind without cases is left out; one that could not be loaded is shown with its failure. */
const isShown = ({ data, isError }: { data: readonly unknown[] | undefined; isError: boolean }) =>
  isError || (data?.length ?? 0) > 0

/** The events at which staff have looked. */
const SeenEvents = () => (
  <Part id="events-title" title={t`Unknown events`}>
    <PaymentEvents isSeen />
  </Part>
)

interface PartProps {
  id: string
  title: string
  about?: string
  children: ReactNode
}

/** One kind of case. */
function Part({ id, title, about, children }: PartProps) {
  return (
    <Card component="section" aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb={about === undefined ? 'md' : 'xs'}>
        {title}
      </Title>
      {about !== undefined && (
        <Text c="dimmed" mb="md">
          {about}
        </Text>
      )}
      {children}
    </Card>
  )
}
