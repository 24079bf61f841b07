import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Badge, Group, List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDay } from '#domain/dates.ts'
import { atStripe } from '#features/money/disputes/dispute-words.ts'
import { PayoutState } from '#features/money/wallet/OwnPayoutsCard.tsx'
import { paymentProviderQuery } from '#lib/payments.ts'
import { Figure, Figures } from '#ui/Figures.tsx'
import { Money } from '#ui/Money.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import type { StaffPerson } from './staff-person.query.ts'

type Payouts = NonNullable<NonNullable<StaffPerson['money']>['payouts']>

/** A person's own account at Stripe: its state, Stripe's open requirements, and its balance according to our books. */
export function OwnAccount({ account }: { account: Payouts }) {
  const { data: provider } = useQuery(paymentProviderQuery)
  const { reference, asked, askedBy, coming, there, owed, payout } = account
  return (
    <div>
      <Group gap="sm" mb="xs">
        <Title order={3} size="h5">
          {t`Account at Stripe`}
        </Title>
        <State account={account} />
      </Group>
      <Figures columns={3}>
        <Figure label={t`In the account`} figure={<Money amount={there} />}>{t`by our books`}</Figure>
        <Figure label={t`On its way there`} figure={<Money amount={coming} />} />
        <Figure label={t`They owe`} figure={<Money amount={owed} />}>
          {owed > 0 ? t`Taken from what they earn next` : t`Nothing`}
        </Figure>
      </Figures>
      <Stack gap={4} mt="sm">
        {asked.length > 0 && (
          <div>
            <Text size="sm" fw={600} component="div">
              {t`Stripe asks them for`}
              {askedBy && (
                <>
                  {' '}
                  <Trans>
                    by {fullDay(askedBy)}, <RelativeDate date={askedBy} size="sm" />
                  </Trans>
                </>
              )}
            </Text>
            <List size="sm" style={{ overflowWrap: 'anywhere' }}>
              {asked.map((what) => (
                <List.Item key={what}>{what.replaceAll(/[._]/g, ' ')}</List.Item>
              ))}
            </List>
          </div>
        )}
        <Group gap="xs">
          <Text size="sm">
            {payout ? (
              <Trans>
                Last payout: <Money amount={payout.amount} fw={600} /> on{' '}
                {fullDay(payout.arrivesOn ?? payout.at)}
              </Trans>
            ) : (
              t`No payout yet`
            )}
          </Text>
          {payout && <PayoutState status={payout.status} />}
          {payout?.reason && (
            <Text size="sm" c="dimmed">
              {payout.reason.replaceAll('_', ' ')}
            </Text>
          )}
        </Group>
        <Text size="sm" c="dimmed" component="div">
          <Trans>
            Opened {fullDay(account.since)}, last heard of <RelativeDate date={account.checkedAt} size="sm" />
            .
          </Trans>{' '}
          {provider?.provider === 'stripe' && (
            <Anchor
              inherit
              href={atStripe('connect/accounts', reference, provider.publishableKey)}
              target="_blank"
              rel="noreferrer"
            >
              {t`Open at Stripe`}
            </Anchor>
          )}
        </Text>
      </Stack>
    </div>
  )
}

function State({ account: { canReceive, canPayOut } }: { account: Payouts }) {
  const [label, color] = !canReceive
    ? [t`Cannot be sent money`, 'beet']
    : canPayOut
      ? [t`Ready`, 'herb']
      : [t`Cannot pay out yet`, 'honey']
  return (
    <Badge variant="light" color={color} tt="none">
      {label}
    </Badge>
  )
}
