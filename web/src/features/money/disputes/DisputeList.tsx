import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Badge, Box, Button, Stack, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDate, fullDay } from '#domain/dates.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { Nothing } from '#ui/Nothing.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useNow } from '#ui/use-now.ts'
import { atStripe, isAnswerable, summarizeDispute, takenBy } from './dispute-words.ts'
import type { Dispute } from './disputes.queries.ts'
import { EvidenceDialog } from './EvidenceDialog.tsx'

const FAILED = t`Failed to load the disputes`
interface DisputeListProps {
  disputes: UseInfiniteQueryResult<Dispute[]>
  /** Stripe's publishable key; undefined if Stripe is not the provider. */
  stripeKey: string | null | undefined
}

/** Lists card payments that were disputed at the bank: the amount, who bears it, what staff can do and by when. */
export function DisputeList({ disputes, stripeKey }: DisputeListProps) {
  const [answered, setAnswered] = useState<Dispute | null>(null)
  return (
    <Loaded
      of={disputes}
      pending={<RowsSkeleton rows={4} />}
      failed={FAILED}
      empty={<Nothing>{t`No chargebacks found`}</Nothing>}
    >
      {(rows) => (
        <Stack gap="lg" aria-busy={disputes.isPlaceholderData}>
          <DataTable
            label={t`Chargebacks`}
            sorts="sort"
            columns={disputeColumns(stripeKey, setAnswered)}
            rows={rows}
            rowKey={({ id }) => id}
            rowProps={({ planName, memberName }) => ({ 'aria-label': `${planName}, ${memberName}` })}
          />
          <KeptRows list={disputes} failed={FAILED}>
            {t`Load more chargebacks`}
          </KeptRows>
          {answered && <EvidenceDialog dispute={answered} onClose={() => setAnswered(null)} />}
        </Stack>
      )}
    </Loaded>
  )
}

const disputeColumns = (
  stripeKey: DisputeListProps['stripeKey'],
  onAnswer: (dispute: Dispute) => void,
): Column<Dispute>[] => [
  {
    label: t`Opened`,
    sort: 'opened_at',
    as: 'detail',
    brief: ({ openedAt, memberName }) => `${memberName} · ${fullDay(openedAt)}`,
    cell: ({ openedAt }) => fullDate(openedAt),
  },
  {
    label: t`Payment`,
    sort: 'plan_name',
    as: 'title',
    mark: ({ planName }) => <ProviderLogo provider={planName} size="line" />,
    brief: ({ planName }) => planName,
    cell: ({ planName, memberId, memberName, ownerId, ownerName, reason }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600} dir="auto">
          {planName}
        </Text>
        <Text size="sm" component="div">
          <Trans>
            <PersonLink staff userId={memberId} name={memberName} /> paid{' '}
            <PersonLink staff userId={ownerId} name={ownerName} />
          </Trans>
        </Text>
        <Text size="sm" c="dimmed">
          <Trans>Reason: {reason.replaceAll('_', ' ')}</Trans>
        </Text>
      </div>
    ),
  },
  {
    label: t`Charged`,
    sort: 'charged',
    as: 'amount',
    number: true,
    brief: ({ charged }) => <Money amount={charged} />,
    cell: ({ charged, amount, givenBack }) => (
      <div>
        <Money amount={charged} fw={600} />
        {amount !== charged && (
          <Text size="sm" c="dimmed">
            <Trans>
              disputed <Money amount={amount} />
            </Trans>
          </Text>
        )}
        {givenBack > 0 && (
          <Text size="sm" c="dimmed">
            <Trans>
              refunded before <Money amount={givenBack} />
            </Trans>
          </Text>
        )}
      </div>
    ),
  },
  { label: t`Taken from`, cell: (dispute) => <Taken dispute={dispute} /> },
  {
    label: t`State`,
    sort: 'status',
    as: 'state',
    brief: (dispute) => <Label dispute={dispute} />,
    cell: (dispute) => <State dispute={dispute} stripeKey={stripeKey} onAnswer={onAnswer} />,
  },
]

function Taken({ dispute }: { dispute: Dispute }) {
  const taken = takenBy(dispute)
  if (taken.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {dispute.charged > 0 && dispute.givenBack >= dispute.charged
          ? t`Nothing: the card was already refunded`
          : t`Nothing`}
      </Text>
    )
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {taken.map(({ from, amount }) => (
        <Text key={from} size="sm">
          <Money amount={amount} fw={600} /> <bdi>{from}</bdi>
        </Text>
      ))}
      <LinkAnchor
        to="/admin/transfers"
        search={{
          person: dispute.memberId,
          kind: dispute.status === 'won' ? 'chargeback-won' : 'chargeback',
        }}
        size="sm"
        aria-label={t`Transfers of the chargeback of ${dispute.memberName}`}
      >
        {t`See transfers`}
      </LinkAnchor>
    </div>
  )
}

type StateProps = { dispute: Dispute; onAnswer: (dispute: Dispute) => void } & Pick<
  DisputeListProps,
  'stripeKey'
>

function Label({ dispute }: Pick<StateProps, 'dispute'>) {
  const { label, color } = summarizeDispute(dispute, new Date(useNow()))
  return (
    <Badge variant="light" color={color} tt="none">
      {label}
    </Badge>
  )
}

function State({ dispute, stripeKey, onAnswer }: StateProps) {
  const now = new Date(useNow())
  const { text, until } = summarizeDispute(dispute, now)
  return (
    <Box maw={{ sm: 280 }}>
      <Label dispute={dispute} />
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {until !== null && (
        <Text size="sm" fw={600} component="div">
          <Trans>
            Until {fullDate(until)}, <RelativeDate date={until} size="sm" />
          </Trans>
        </Text>
      )}
      {isAnswerable(dispute, now) && (
        <Button
          size="sm"
          my="xs"
          aria-label={t`Answer the chargeback of ${dispute.memberName}`}
          onClick={() => onAnswer(dispute)}
        >
          {t({ message: 'Answer', context: 'verb' })}
        </Button>
      )}
      {stripeKey !== undefined && (
        <Anchor
          href={atStripe('disputes', dispute.id, stripeKey)}
          target="_blank"
          rel="noreferrer"
          size="sm"
          aria-label={t`The chargeback of ${dispute.memberName} at Stripe`}
        >
          {t`Open at Stripe`}
        </Anchor>
      )}
    </Box>
  )
}
