import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { type PaymentDispute, paymentDisputesQuery, useDecidePayment } from './payment-disputes.ts'

/** Payment disputes to decide or, with `closed`, the latest decisions; renders nothing if there are none. */
export function PaymentDisputes({ closed = false }: { closed?: boolean }) {
  const list = useQuery(paymentDisputesQuery(closed))
  if (list.data?.length === 0) return null
  const id = closed ? 'closed-disputes-title' : 'disputes-title'
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb="xs">
        {closed ? t`Closed payment disputes` : t`Payment disputes`}
      </Title>
      {!closed && (
        <Text c="dimmed" mb="md">
          <Trans>
            After <Plural value={LIMITS.paymentDisputeTimeHours / 24} one="# day" other="# days" /> without a
            decision, the payment counts for neither side.
          </Trans>
        </Text>
      )}
      <Loaded of={list} rows={2} failed={t`Failed to load the payment disputes`}>
        {(disputes) => (
          <Stack gap="md">
            {disputes.map((dispute) => (
              <Case key={dispute.id} dispute={dispute} />
            ))}
          </Stack>
        )}
      </Loaded>
    </section>
  )
}

function Case({ dispute }: { dispute: PaymentDispute }) {
  const { id, kind, planName, amount, currency, note, denial, decideBy, decision, closedAt } = dispute
  const owner = <PersonLink staff userId={dispute.ownerId} name={dispute.ownerName} />
  const member = <PersonLink staff userId={dispute.memberId} name={dispute.memberName} />
  const [payer, receiver] = kind === 'payment' ? [member, owner] : [owner, member]
  return (
    <SurfaceCard component="article" aria-labelledby={`dispute-${id}`}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={3} id={`dispute-${id}`}>
            {planName}, {formatMoney(amount, currency)}
          </Title>
          {decideBy && <TimeLeft until={decideBy} />}
        </Group>
        <Statement
          who={
            kind === 'payment' ? (
              <Trans>{payer} says they paid:</Trans>
            ) : (
              <Trans>{payer} says they paid back:</Trans>
            )
          }
        >
          {note}
        </Statement>
        <Statement who={<Trans>{receiver} says it hasn’t arrived:</Trans>}>{denial}</Statement>
        {closedAt ? (
          <Statement
            who={`${OUTCOMES[dispute.status === 'received' || dispute.status === 'denied' ? dispute.status : 'undecided']} ${fullDay(closedAt)}`}
          >
            {decision}
          </Statement>
        ) : (
          <Decide dispute={dispute} />
        )}
      </Stack>
    </SurfaceCard>
  )
}

const OUTCOMES = {
  received: t`Counts as paid.`,
  denied: t`Counts as not paid.`,
  undecided: t`Counts for neither.`,
}

/** One side's statement. The payer's may be empty, since a claim needs no text. */
function Statement({ who, children }: { who: ReactNode; children: string | null }) {
  return (
    <div>
      <Text size="sm" c="dimmed" component="div">
        {who}
      </Text>
      {children && (
        <Text dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {children}
        </Text>
      )}
    </div>
  )
}

function Decide({ dispute }: { dispute: PaymentDispute }) {
  const [received, setReceived] = useState<boolean | null>(null)
  const close = () => setReceived(null)
  const decide = useDecidePayment(dispute, close)
  const { ownerName, memberName } = dispute
  return (
    <>
      <Group gap="sm">
        <Button variant="default" onClick={() => setReceived(true)}>{t`It was paid`}</Button>
        <Button variant="default" onClick={() => setReceived(false)}>{t`It was not paid`}</Button>
      </Group>
      {received !== null && (
        <ReasonDialog
          title={received ? t`It was paid` : t`It was not paid`}
          label={t`Reason`}
          confirmLabel={t`Decide`}
          color="clay"
          most={LIMITS.longestNote}
          busy={decide.isPending}
          onConfirm={(reason) => decide.mutate({ received, reason })}
          onClose={close}
        >
          {t`${ownerName} and ${memberName} both see your reason. This cannot be undone.`}
        </ReasonDialog>
      )}
    </>
  )
}
