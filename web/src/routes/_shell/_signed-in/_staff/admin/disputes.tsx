import { t } from '@lingui/core/macro'
import { Card, Group, Select, Stack, Text, Title } from '@mantine/core'
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
import { LinkAnchor } from '#ui/links.tsx'
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
  const { data: warnings } = useQuery(fraudWarningsQuery)
  const { data: debts } = useQuery(siteDebtsQuery)
  const { data: contractWithdrawals } = useQuery(contractWithdrawalsQuery('member'))
  const { data: returned } = useQuery(returnedPaymentsQuery)
  const { data: events } = useInfiniteQuery(paymentEventsQuery(false, toSorting(filter.eventSort)))
  const isNarrowed = filter.person !== undefined || filter.state !== undefined
  const narrow = (change: Partial<typeof filter>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  return (
    <>
      <PageTitle
        title={t`Disputes`}
      >{t`Chargebacks, and provider events that match no payment here.`}</PageTitle>
      <Stack gap="lg">
        <Part
          id="chargebacks-title"
          title={t`Chargebacks`}
          about={t`The place ends right away. We take what’s still held, then what the owner’s own account at Stripe was sent of the payment, then the member’s coins; the guarantee account covers the rest. Owners keep what they earned as coins.`}
          isEmpty={!isNarrowed && disputes.data?.length === 0}
        >
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
          />
        </Part>
        <Part
          id="warnings-title"
          title={t`Early fraud warnings`}
          about={t`A bank says its cardholder calls a payment fraud. Refunded in time, it doesn’t become a chargeback, and the provider’s fee for one is saved. You decide: nothing happens by itself.`}
          isEmpty={warnings?.length === 0}
        >
          <FraudWarnings />
        </Part>
        <Part
          id="debts-title"
          title={t`Debts to the site`}
          about={t`A bank gave a debit back that had been refunded. Until the member has paid, they take out no coins and get no new place through the site.`}
          isEmpty={debts?.length === 0}
        >
          <SiteDebts />
        </Part>
        <Part
          id="contract-withdrawals-title"
          title={t`Withdrawals from contracts`}
          about={t`Within a year. After three, counted over accounts with the same card or bank account, a member gets new places through the site only once you let them.`}
          isEmpty={contractWithdrawals?.length === 0}
        >
          <ContractWithdrawals />
        </Part>
        <Part
          id="returned-title"
          title={t`Refunds at the provider`}
          about={t`Nobody pays for these places any more. With goodwill the place goes on, and the owner gets the refunded share as coins.`}
          isEmpty={returned?.length === 0}
        >
          <ReturnedPayments />
        </Part>
        <Part
          id="events-title"
          title={t`Unknown events`}
          about={t`Provider events that match no payment, and differences from the nightly check. Nothing was booked for them.`}
          isEmpty={events?.length === 0 && filter.events === undefined}
          ifNone={
            <LinkAnchor to="/admin/disputes" search={{ events: 'seen' }} size="sm">
              {t`Looked at`}
            </LinkAnchor>
          }
        >
          <PaymentEvents
            isSeen={filter.events === 'seen'}
            onSeen={(isSeen) => narrow({ events: isSeen ? 'seen' : undefined, eventRows: undefined })}
          />
        </Part>
      </Stack>
    </>
  )
}

interface PartProps {
  id: string
  title: string
  about: string
  isEmpty: boolean
  /** Shown beside the title if the part is empty. */
  ifNone?: ReactNode
  children: ReactNode
}

/** One kind of case; a single line if there is none. */
function Part({ id, title, about, isEmpty, ifNone, children }: PartProps) {
  if (isEmpty)
    return (
      <Group component="section" aria-labelledby={id} gap="sm">
        <Title order={2} size="h5" id={id}>
          {t`${title}: none`}
        </Title>
        {ifNone}
      </Group>
    )
  return (
    <Card component="section" aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb="xs">
        {title}
      </Title>
      <Text c="dimmed" mb="md">
        {about}
      </Text>
      {children}
    </Card>
  )
}
