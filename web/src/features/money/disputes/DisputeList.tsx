import { Anchor, Badge, Box, Stack, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fullDate } from '#domain/dates.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { useNow } from '#ui/use-now.ts'
import { atStripe, standingOf, takenBy } from './dispute-words.ts'
import type { Dispute } from './disputes.queries.ts'

const FAILED = 'Failed to load the disputes'
const COLUMNS = [
  { label: 'Opened' },
  { label: 'Payment' },
  { label: 'Charged', number: true },
  { label: 'Taken from' },
  { label: 'State' },
]

interface DisputeListProps {
  disputes: UseInfiniteQueryResult<Dispute[]>
  /** Of Stripe; undefined where it is not the provider. */
  stripeKey: string | null | undefined
  isNarrowed: boolean
}

/** Payments that were taken back: what was charged, who bears it, and what is to do until when. */
export function DisputeList({ disputes, stripeKey, isNarrowed }: DisputeListProps) {
  if (disputes.isPending) return <RowsSkeleton rows={4} />
  if (!disputes.data)
    return <LoadAlert title={FAILED} problem={disputes.error} onRetry={() => void disputes.refetch()} />
  if (disputes.data.length === 0)
    return isNarrowed ? (
      <EmptyState title="No chargebacks found">Try fewer filters.</EmptyState>
    ) : (
      <EmptyState title="No chargebacks">
        When a member has the bank take a payment back, it stands here with what to do about it.
      </EmptyState>
    )
  return (
    <Stack gap="lg" aria-busy={disputes.isPlaceholderData}>
      <StackTable label="Chargebacks" columns={COLUMNS}>
        {disputes.data.map((dispute) => (
          <Row key={dispute.id} dispute={dispute} stripeKey={stripeKey} />
        ))}
      </StackTable>
      <KeptRows list={disputes} failed={FAILED}>
        Load more chargebacks
      </KeptRows>
    </Stack>
  )
}

type RowProps = { dispute: Dispute } & Pick<DisputeListProps, 'stripeKey'>

function Row({ dispute, stripeKey }: RowProps) {
  const { member, owner } = dispute
  return (
    <StackRow label={`${dispute.planName}, ${member.name}`}>
      <StackCell label="Opened">{fullDate(dispute.openedAt)}</StackCell>
      <StackCell label="Payment">
        <div style={{ overflowWrap: 'anywhere' }}>
          <Text fw={600} dir="auto">
            {dispute.planName}
          </Text>
          <Text size="sm" component="div">
            <PersonLink staff userId={member.id} name={member.name} /> paid{' '}
            <PersonLink staff userId={owner.id} name={owner.name} />
          </Text>
          <Text size="sm" c="dimmed">
            Reason: {dispute.reason.replaceAll('_', ' ')}
          </Text>
        </div>
      </StackCell>
      <StackCell label="Charged" number>
        <div>
          <Money amount={dispute.charged} fw={600} />
          {dispute.amount !== dispute.charged && (
            <Text size="sm" c="dimmed">
              disputed <Money amount={dispute.amount} />
            </Text>
          )}
          {dispute.givenBack > 0 && (
            <Text size="sm" c="dimmed">
              given back before <Money amount={dispute.givenBack} />
            </Text>
          )}
        </div>
      </StackCell>
      <StackCell label="Taken from">
        <Taken dispute={dispute} />
      </StackCell>
      <StackCell label="State">
        <State dispute={dispute} stripeKey={stripeKey} />
      </StackCell>
    </StackRow>
  )
}

function Taken({ dispute }: { dispute: Dispute }) {
  const taken = takenBy(dispute)
  if (taken.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {dispute.charged > 0 && dispute.givenBack >= dispute.charged
          ? 'Nothing: the card had its money back'
          : 'Nothing'}
      </Text>
    )
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {taken.map(({ from, amount }) => (
        <Text key={from} size="sm">
          <Money amount={amount} fw={600} /> <bdi>{from}</bdi>
        </Text>
      ))}
      <Anchor
        renderRoot={(props) => (
          <Link
            {...props}
            to="/admin/transfers"
            search={{
              person: dispute.member.id,
              kind: dispute.status === 'won' ? 'chargeback-won' : 'chargeback',
            }}
          />
        )}
        size="sm"
        aria-label={`Transfers of the chargeback of ${dispute.member.name}`}
      >
        See the transfers
      </Anchor>
    </div>
  )
}

function State({ dispute, stripeKey }: RowProps) {
  const { label, color, text, until } = standingOf(dispute, new Date(useNow()))
  return (
    <Box maw={{ sm: 280 }}>
      <Badge variant="light" color={color} tt="none">
        {label}
      </Badge>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {until !== null && (
        <Text size="sm" fw={600} component="div">
          Until {fullDate(until)}, <RelativeDate date={until} size="sm" />
        </Text>
      )}
      {stripeKey !== undefined && (
        <Anchor
          href={atStripe(dispute.id, stripeKey)}
          target="_blank"
          rel="noreferrer"
          size="sm"
          aria-label={`The chargeback of ${dispute.member.name} at Stripe`}
        >
          Open at Stripe
        </Anchor>
      )}
    </Box>
  )
}
