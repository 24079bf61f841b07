import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LIMITS } from '@potluck/supabase/limits'
import { type ReactNode, Suspense } from 'react'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { paymentLine } from '#domain/payment-words.ts'
import { claimOf, isReminded, type Payment } from '#domain/payments.ts'
import { placeLink } from '#domain/place-link.ts'
import { accessStep, memberSuspended, type PlanSeat } from '#domain/seats.ts'
import { lazyPart } from '#lib/online.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { LoneLink } from '#ui/links.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useNow } from '#ui/use-now.ts'
import { RepayDebt } from './lazy-cards.ts'
import { PaymentDetailsPrompt } from './PaymentDetailsPrompt.tsx'
import { paymentTexts } from './payments.messages.ts'
import { usePaymentStep, useRemindGuest } from './payments.mutations.ts'
import { ReminderSent } from './ReminderSent.tsx'
import { SeatBadge } from './SeatBadge.tsx'
import classes from './SeatRow.module.css'
import { UnpaidPayment } from './UnpaidPayment.tsx'

const UndoReceipt = lazyPart(async () => (await import('./UndoReceipt.tsx')).UndoReceipt)

interface SeatRowProps {
  seat: PlanSeat
  /** The member's open payments. */
  open: readonly Payment[]
  /** Payments that the owner must repay in part or in full. */
  debts: readonly Payment[]
  /** Payments that the owner has just received. */
  received: readonly Payment[]
  /** The member's answer to changed terms. */
  terms: ReactNode
}

/** A member's place, for the owner: its state, and every open payment with its actions. */
export function SeatRow({ seat, open, debts, received, terms }: SeatRowProps) {
  return (
    <Stack gap="xs" component="article" aria-label={t`Payments of ${seat.memberName}`}>
      <Group wrap="nowrap" gap="sm">
        <PersonAvatar name={seat.memberName} src={seat.avatarUrl} size={44} />
        <Stack gap={2} flex={1} miw={0}>
          <Group gap={6}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              <PersonLink userId={seat.memberId} name={seat.memberName} />
            </Text>
            <SeatBadge seat={seat} owes={open.length > 0} />
          </Group>
          <Text size="sm" c="dimmed">
            {standText(seat)}
          </Text>
        </Stack>
      </Group>
      {debts.map((debt) => (
        <Suspense key={debt.id} fallback={<RowsSkeleton rows={2} />}>
          <RepayDebt debt={debt} />
        </Suspense>
      ))}
      {seat.problemId && (
        <LoneLink to="/problems/$problemId" params={{ problemId: seat.problemId }} size="sm">
          {t`See the open problem`}
        </LoneLink>
      )}
      {terms}
      {open.map((payment) => (
        <OpenPayment
          key={payment.id}
          payment={payment}
          isGuest={seat.isGuest}
          mayEndFrom={payment.id === seat.mayEndOver ? seat.mayEndFrom : null}
        />
      ))}
      <Suspense>
        {received.map((payment) => (
          <Group key={payment.id} className={classes.payment} justify="space-between" gap="xs">
            <Text>
              <Trans>You received {formatMoney(payment.amount, payment.currency)}.</Trans>
            </Text>
            <UndoReceipt payment={payment} />
          </Group>
        ))}
      </Suspense>
    </Stack>
  )
}

function standText(seat: PlanSeat): string {
  const { settlement, paidUntil, endsAt, held, earned, nextRelease, problemId, status } = seat
  return [
    memberSuspended(seat),
    paidUntil && t`Paid until ${{ day: fullDay(paidUntil) }}.`,
    endsAt && status !== 'ended' && t`Leaves on ${{ day: fullDay(endsAt) }}.`,
    settlement === 'potluck' &&
      t`${{ held: formatMoney(held) }} held, ${{ earned: formatMoney(earned) }} earned.`,
    nextRelease && t`Next coins on ${{ day: fullDay(nextRelease) }}.`,
    settlement === 'potluck' && problemId && t`You earn nothing while the problem is open.`,
    accessStep(seat) === 'waiting' && t`You start earning when you give access.`,
    settlement === 'direct' && status !== 'ended' && !paidUntil && t`Pays you directly.`,
  ]
    .filter(Boolean)
    .join(' ')
}

interface OpenPaymentProps {
  payment: Payment
  /** True if the member has no account, so that the owner passes the reminder on. */
  isGuest: boolean
  /** When the owner may end the place because of this payment; null if never. */
  mayEndFrom: string | null
}

function OpenPayment({ payment, isGuest, mayEndFrom }: OpenPaymentProps) {
  const tell = usePaymentStep()
  const remind = useRemindGuest()
  const [ending, end] = useDisclosure()
  const now = useNow()
  const answerBy = claimOf(payment, 'payment')?.answerBy
  const { memberName, status, settlement } = payment
  const busy = (step: string) => tell.isPending && tell.variables.step === step
  const say = (step: 'confirm' | 'nudge') => () => tell.mutate({ payment, step })
  return (
    <div className={classes.payment}>
      <Group justify="space-between" gap="xs">
        <Text>{paymentLine(payment, 'owner', now)}</Text>
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {payment.reference}
        </Text>
      </Group>
      {/* Payment claims are answered at the top of the page, not here. */}
      {status === 'disputed' && answerBy && (
        <Text size="sm" mt="xs">
          {paymentTexts.decidesBy(answerBy)}
        </Text>
      )}
      {settlement === 'direct' && (payment.leftUnpaidAt || status === 'disputed') && status !== 'claimed' ? (
        <div className={classes.answer}>
          <UnpaidPayment payment={payment} />
        </div>
      ) : settlement === 'direct' && status === 'due' ? (
        <Group gap="xs" mt="xs">
          <Button size="sm" loading={busy('confirm')} onClick={say('confirm')}>
            {t`Received`}
          </Button>
          {!payment.payable ? (
            <PaymentDetailsPrompt ownerId={payment.ownerId} />
          ) : isReminded(payment, now) ? (
            <ReminderSent payment={payment} now={now} />
          ) : Date.parse(payment.dueAt) > now ? null : (
            <Button
              size="sm"
              variant="default"
              loading={busy('nudge') || remind.isPending}
              onClick={isGuest ? () => remind.mutate(payment) : say('nudge')}
            >
              {isGuest ? t`Share a reminder` : t`Remind`}
            </Button>
          )}
          {mayEndFrom && Date.parse(mayEndFrom) <= now && (
            <Button size="sm" variant="subtle" color="beet" onClick={end.open}>
              {t`End place`}
            </Button>
          )}
        </Group>
      ) : null}
      <Dialog opened={Boolean(remind.data)} onClose={remind.reset} title={t`A reminder for ${memberName}`}>
        <ShareLink
          big
          link={remind.data ? placeLink(remind.data) : undefined}
          title={paymentTexts.reminderFor(payment)}
        />
      </Dialog>
      <ConfirmDialog
        opened={ending}
        title={t`End the place of ${memberName}?`}
        confirmLabel={t`End place`}
        cancelLabel={t`Keep member`}
        busy={busy('end')}
        onConfirm={() => tell.mutate({ payment, step: 'end' }, { onSettled: end.close })}
        onClose={end.close}
      >
        <Trans>
          {formatMoney(payment.amount, payment.currency)} is{' '}
          <Plural value={LIMITS.directPatienceHours / 24} one="# day" other="# days" /> late. {memberName}{' '}
          loses access to {payment.planName} right away and is told why.
        </Trans>
      </ConfirmDialog>
    </div>
  )
}
