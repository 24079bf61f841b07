import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ComponentProps } from 'react'
import { countryName } from '#domain/countries.ts'
import { fullDay } from '#domain/dates.ts'
import { nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import { PaymentStateBadge } from '#features/money/payments/PaymentStateBadge.tsx'
import { useDecideCountry } from '#features/money/withdrawals/withdrawals.mutations.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Figure, Figures } from '#ui/Figures.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { Money as Amount } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { Debts } from './Debts.tsx'
import { OwnAccount } from './OwnAccount.tsx'
import { PayoutHold } from './PayoutHold.tsx'
import { Section } from './Section.tsx'
import type { StaffPerson } from './staff-person.query.ts'

type Money = NonNullable<StaffPerson['money']>

const movedColumns = (personId: string): Column<Money['moved'][number]>[] => [
  {
    label: t`Kind`,
    as: 'title',
    brief: ({ kind }) => nameOf(TRANSFER_KINDS, kind),
    cell: ({ kind }) => (
      <LinkAnchor to="/admin/transfers" search={{ person: personId, kind }}>
        {nameOf(TRANSFER_KINDS, kind)}
      </LinkAnchor>
    ),
  },
  {
    label: t`Transfers`,
    as: 'detail',
    number: true,
    brief: ({ transfers }) => plural(transfers, { one: '# transfer', other: '# transfers' }),
    cell: ({ transfers }) => transfers,
  },
  { label: t`Amount`, as: 'amount', number: true, cell: ({ amount }) => <Amount amount={amount} /> },
  { label: t`Latest`, as: 'detail', cell: ({ last }) => fullDay(last) },
]
const PLACES: Column<Money['places'][number]>[] = [
  {
    label: t`Plan`,
    as: 'title',
    mark: ({ planName }) => <ProviderLogo provider={planName} size="line" />,
    cell: ({ planName }) => planName,
  },
  {
    label: t`Shared by`,
    as: 'detail',
    brief: ({ ownerName }) => ownerName,
    cell: ({ ownerId, ownerName }) => <PersonLink staff userId={ownerId} name={ownerName} />,
  },
  { label: t`Due`, as: 'detail', cell: ({ dueAt }) => fullDay(dueAt) },
  {
    label: t`Amount`,
    as: 'amount',
    number: true,
    cell: ({ amount, currency }) => <Amount {...{ amount, currency }} />,
  },
  { label: t`State`, as: 'state', cell: (place) => <PaymentStateBadge payment={place} /> },
]

/** A person's wallet, transfers and paid places. Each figure links to its list. */
export function MoneySection({ personId, money }: { personId: string; money: Money }) {
  const { balance, payouts, hold, debts, countries, moved, withdrawals, disputes, places } = money
  return (
    <Section
      title={t`Money`}
      action={
        <LinkAnchor to="/admin/transfers" search={{ person: personId }}>
          {t`All transfers`}
        </LinkAnchor>
      }
    >
      <Stack gap="lg">
        <Figures columns={3} flat>
          <Figure label={t`Wallet`} figure={<Amount amount={balance} />} />
          <Figure
            label={t`Withdrawals`}
            figure={
              withdrawals.all === 0 ? (
                0
              ) : (
                <LinkAnchor
                  inherit
                  aria-label={t`Withdrawals: ${withdrawals.all}`}
                  to="/admin/withdrawals"
                  search={{ person: personId }}
                >
                  {withdrawals.all}
                </LinkAnchor>
              )
            }
          >
            {withdrawals.waiting > 0 ? t`${withdrawals.waiting} to pay out` : t`None waiting`}
          </Figure>
          <Figure
            label={t`Disputes`}
            figure={
              disputes.all === 0 ? (
                0
              ) : (
                <LinkAnchor
                  inherit
                  aria-label={t`Disputes: ${disputes.all}`}
                  to="/admin/disputes"
                  search={{ person: personId }}
                >
                  {disputes.all}
                </LinkAnchor>
              )
            }
          >
            {disputes.open > 0 ? t`${disputes.open} open` : t`None open`}
          </Figure>
        </Figures>
        <PayoutHold personId={personId} hold={hold} />
        {debts.length > 0 && <Debts personId={personId} debts={debts} />}
        {countries && <CountryQuestion personId={personId} countries={countries} />}
        {payouts && <OwnAccount account={payouts} />}
        {moved.length > 0 && (
          <Table
            label={t`Money moved`}
            columns={movedColumns(personId)}
            rows={moved}
            rowKey={({ kind }) => kind}
          />
        )}
        {places.length > 0 && (
          <Table
            label={t`Places they pay for`}
            columns={PLACES}
            rows={places}
            rowKey={({ seatId }) => seatId}
            rowProps={({ planName }) => ({ 'aria-label': planName })}
          />
        )}
      </Stack>
    </Section>
  )
}

function Table<Row>(props: ComponentProps<typeof DataTable<Row>>) {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {props.label}
      </Title>
      <DataTable {...props} />
    </div>
  )
}

interface CountryQuestionProps {
  personId: string
  /** The country that the person gave, and the country of their card or bank. */
  countries: readonly [declared: string, card: string]
}

/** Asks which of two countries that contradict each other decides the VAT of their fees. */
function CountryQuestion({ personId, countries }: CountryQuestionProps) {
  const decide = useDecideCountry(personId)
  const [declared, card] = countries.map(countryName)
  return (
    <Alert color="honey" title={t`Which country decides the VAT?`}>
      <Text size="sm" mb="xs">
        <Trans>
          They say they live in {declared}, but pay from {card}.
        </Trans>
      </Text>
      <Group gap="xs">
        {countries.map((country) => (
          <Button
            key={country}
            size="sm"
            variant="default"
            loading={decide.isPending && decide.variables === country}
            onClick={() => decide.mutate(country)}
          >
            {countryName(country)}
          </Button>
        ))}
      </Group>
    </Alert>
  )
}
