import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Badge, Button, Group, List as Items, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useCheckPayouts, useMoveCoins, useOpenPayouts } from './own-payouts.mutations.ts'
import { type OwnPayouts, ownPayoutsQuery } from './own-payouts.queries.ts'
import { useCoins } from './use-coins.ts'
import classes from './WalletCard.module.css'

interface OwnPayoutsCardProps {
  userId: string
  /** True if the person has just returned from the provider's pages. */
  isBack: boolean
  onChecked: () => void
}

/** The owner's own account at the provider, which receives card payments on sites that use such accounts. */
export function OwnPayoutsCard({ userId, isBack, onChecked }: OwnPayoutsCardProps) {
  const { mutate: check } = useCheckPayouts()
  const ask = useEffectEvent(() => check(undefined, { onSettled: onChecked }))
  useEffect(() => {
    if (isBack) ask()
  }, [isBack])
  return (
    <SectionCard titleId="payouts-title" title={t`Payouts`}>
      <Loaded of={useQuery(ownPayoutsQuery)} rows={2} failed={t`Failed to load your payouts`}>
        {(payouts) => (
          <Stack gap="md">
            {!payouts.account?.canReceive && <ToSetUp account={payouts.account} />}
            {payouts.account && <Account userId={userId} payouts={payouts} />}
          </Stack>
        )}
      </Loaded>
    </SectionCard>
  )
}

function ToSetUp({ account }: Pick<OwnPayouts, 'account'>) {
  const open = useOpenPayouts('payouts')
  return (
    <Stack gap="md" align="flex-start">
      {account ? (
        <Asked account={account}>
          {account.asked.length > 0
            ? t`Stripe still needs ${plural(account.asked.length, { one: 'a detail', other: '# details' })} from you before it can pay you.`
            : t`Stripe is checking what you’ve told it. That can take a few minutes.`}
        </Asked>
      ) : (
        <Text c="dimmed">
          {t`When members pay by card, Stripe sends you your share as soon as it’s earned, and pays it out to your bank. Tell Stripe who you are and where your money goes. We never see your bank account.`}
        </Text>
      )}
      <Button onClick={() => open.mutate()} loading={open.isPending}>
        {account ? t`Continue on Stripe` : t`Set up payouts`}
      </Button>
    </Stack>
  )
}

/** The details that Stripe still requires, in Stripe's words, with the deadline. */
function Asked({ account, children }: { account: Exclude<OwnPayouts['account'], null>; children: string }) {
  return (
    <Alert color="honey" role="status">
      {children}{' '}
      {account.askedBy && (
        <Trans>
          Due <RelativeDate date={account.askedBy} />.
        </Trans>
      )}
      {account.asked.length > 0 && (
        <Items size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          {account.asked.map((what) => (
            <Items.Item key={what}>{what.replaceAll(/[._]/g, ' ')}</Items.Item>
          ))}
        </Items>
      )}
    </Alert>
  )
}

/** Transfers to the account and payouts to the bank; shown even while further transfers are blocked. */
function Account({ userId, payouts }: { userId: string; payouts: OwnPayouts }) {
  const { account } = payouts
  const figures = [
    { label: t`On its way to Stripe`, value: payouts.coming },
    { label: t`In your Stripe account`, value: payouts.there },
    ...(payouts.owed > 0 ? [{ label: t`You owe`, value: payouts.owed }] : []),
  ]
  return (
    <Stack gap="md">
      {(account?.canReceive || figures.some(({ value }) => value > 0)) && (
        <dl className={classes.figures}>
          {figures.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{formatMoney(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {payouts.owed > 0 && (
        <Text size="sm" c="dimmed">
          {t`A payment went back after you were paid. It’s taken from what you earn next.`}
        </Text>
      )}
      {account?.canReceive && !account.canPayOut && (
        <Asked account={account}>
          {t`Stripe can’t pay out to your bank yet. Open Stripe to see what’s missing.`}
        </Asked>
      )}
      {account?.canReceive && account.canPayOut && account.asked.length > 0 && (
        <Asked account={account}>
          {t`Stripe asks you for more, so that it can go on paying you. Open Stripe to answer.`}
        </Asked>
      )}
      {account?.canReceive && <Actions userId={userId} waitsUntil={payouts.coinsWaitUntil} />}
      <List title={t`Sent to your Stripe account`} columns={SENT} rows={payouts.transfers} />
      <List title={t`Paid out to your bank`} columns={PAID_OUT} rows={payouts.payouts} />
    </Stack>
  )
}

function Actions({ userId, waitsUntil }: { userId: string; waitsUntil: string | null }) {
  const open = useOpenPayouts('payouts/dashboard')
  const move = useMoveCoins(userId)
  const { coins } = useCoins(userId)
  const hasCoins = coins !== undefined && coins.available > 0
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button onClick={() => open.mutate()} loading={open.isPending}>
          {t`Open Stripe`}
        </Button>
        {hasCoins && waitsUntil === null && (
          <Button variant="default" onClick={() => move.mutate()} loading={move.isPending}>
            {t`Move ${formatMoney(coins.available)} of coins there`}
          </Button>
        )}
      </Group>
      {hasCoins && waitsUntil !== null && (
        <Text size="sm" c="dimmed">
          {waitsUntil === 'infinity'
            ? t`A payment to you is disputed. You can move your ${formatMoney(coins.available)} of coins to Stripe once that’s settled.`
            : t`You can move your ${formatMoney(coins.available)} of coins to Stripe from ${fullDay(waitsUntil)}. Until then a bank may take back the first payments to you.`}
        </Text>
      )}
    </Stack>
  )
}

interface ListProps<Row extends { id: string }> {
  title: string
  columns: Column<Row>[]
  rows: Row[]
}

function List<Row extends { id: string }>({ title, columns, rows }: ListProps<Row>) {
  if (rows.length === 0) return null
  return (
    <div>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      <DataTable label={title} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </div>
  )
}

const SENT_STATES = {
  queued: { label: t`On its way`, color: 'honey' },
  sent: { label: t`Sent`, color: 'herb' },
  failed: { label: t`Not accepted`, color: 'beet' },
} as const

const SENT: Column<OwnPayouts['transfers'][number]>[] = [
  {
    label: t`For`,
    as: 'title',
    cell: ({ plan, is_back: isBack }) => (isBack ? t`Dispute won` : (plan ?? t`Coins from your wallet`)),
  },
  { label: t`When`, as: 'detail', cell: ({ at }) => <RelativeDate date={at} /> },
  {
    label: t`Amount`,
    number: true,
    as: 'amount',
    cell: ({ amount, taken }) => <Money amount={amount - (taken ?? 0)} />,
  },
  {
    label: t`State`,
    as: 'state',
    cell: ({ status, taken }) => {
      const { label, color } = taken ? { label: t`Taken back`, color: 'beet' } : SENT_STATES[status]
      return (
        <Badge variant="light" color={color} tt="none">
          {label}
        </Badge>
      )
    },
  },
]

const PAYOUT_STATES: Record<string, { label: string; color: string }> = {
  paid: { label: t`Paid out`, color: 'herb' },
  failed: { label: t`Returned`, color: 'beet' },
  canceled: { label: t({ message: 'Cancelled', context: 'a payout' }), color: 'gray' },
}

/** The badge of a bank payout, by the provider's status. */
export function PayoutState({ status }: { status: string }) {
  const { label, color } = PAYOUT_STATES[status] ?? SENT_STATES.queued
  return (
    <Badge variant="light" color={color} tt="none">
      {label}
    </Badge>
  )
}

const PAID_OUT: Column<OwnPayouts['payouts'][number]>[] = [
  { label: t`Amount`, as: 'title', cell: ({ amount }) => <Money amount={amount} /> },
  { label: t`When`, as: 'detail', cell: ({ at, arrives_on: on }) => <RelativeDate date={on ?? at} /> },
  {
    label: t`State`,
    as: 'state',
    cell: ({ status }) => <PayoutState status={status} />,
  },
]
