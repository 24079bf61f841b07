import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Radio, Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import { accessStep, lastContractWithdrawalDay, type OwnSeat } from '#domain/seats.ts'
import { ownNameQuery } from '#features/account/profiles/profiles.queries.ts'
import classes from '#features/money/payments/CostSum.module.css'
import { ownOpenPaymentsQuery } from '#features/money/payments/payments.queries.ts'
import { useUser } from '#lib/session.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useNow } from '#ui/use-now.ts'
import { useLeaveLater, useLeavePlan, useWithdrawFromContract } from './memberships.mutations.ts'

export interface LeaveDialogProps {
  planId: string
  /** The provider's and the plan's name. */
  planName: string
  ownerName: string
  userId: string
  /** The person's place; undefined until it is loaded. */
  seat: OwnSeat | undefined
  /** The end of the place's current period; null if the person can only leave now. */
  until: string | null
  /** True if the dialog is about leaving now, which is a contract withdrawal. */
  withdrawsFromContract?: boolean
  onLeft: () => void
  opened: boolean
  close: () => void
}

/**
 * The dialog to end the person's own place at the end of its period or immediately, with an explanation of both
 * choices. Leaving immediately is a contract withdrawal as long as the withdrawal period lasts.
 */
export function LeaveDialog(props: LeaveDialogProps) {
  const {
    planId,
    planName,
    ownerName,
    userId,
    seat,
    until,
    withdrawsFromContract = false,
    onLeft,
    opened,
    close,
  } = props
  const mayWait = seat !== undefined && until !== null && seat.endsAt === null
  const [picked, setPicked] = useState<'later' | 'now' | null>(null)
  const chosen = picked ?? (withdrawsFromContract || !mayWait ? 'now' : 'later')
  const leave = useLeavePlan(planId, userId, onLeft)
  const withdrawFromContract = useWithdrawFromContract(planId, onLeft)
  const leaveLater = useLeaveLater()
  const { data: open } = useQuery({
    ...ownOpenPaymentsQuery(userId),
    enabled: seat?.settlement === 'direct',
  })
  const due = open?.find(({ seatId, status }) => seatId === seat?.id && status === 'due')
  const today = useNow()
  const lastDay = seat ? lastContractWithdrawalDay(seat) : null
  const isContractWithdrawal = chosen === 'now' && seat !== undefined && lastDay !== null
  const confirm = () => {
    const options = { onSettled: close }
    if (mayWait && chosen === 'later') leaveLater.mutate(seat, options)
    else if (isContractWithdrawal) withdrawFromContract.mutate(seat.id, options)
    else leave.mutate(undefined, options)
  }
  const lost = t`You lose access to ${planName} right away.`
  const back =
    seat && (lastDay ? contractWithdrawalRefund(seat, ownerName) : whatComesBack(seat, ownerName, due, today))
  const now = [lost, back].filter(Boolean).join(' ')
  return (
    <ConfirmDialog
      opened={opened}
      title={t`Leave Subscription`}
      confirmLabel={isContractWithdrawal ? t`Confirm withdrawal` : t`Leave plan`}
      cancelLabel={t`Stay`}
      busy={leave.isPending || leaveLater.isPending || withdrawFromContract.isPending}
      onConfirm={confirm}
      onClose={close}
    >
      {mayWait ? (
        <Radio.Group
          label={t`When do you want to leave?`}
          value={chosen}
          onChange={(value) => setPicked(value === 'now' ? 'now' : 'later')}
        >
          <Stack gap="sm" mt="xs">
            <Radio
              value="later"
              label={t`On ${fullDay(until)}, at the end of the month`}
              description={t`You keep access until then, and can change your mind.`}
            />
            <Radio
              value="now"
              label={lastDay ? t`Now, and withdraw from the contract` : t`Now`}
              description={now}
            />
          </Stack>
        </Radio.Group>
      ) : (
        now
      )}
      {isContractWithdrawal && <Contract planName={planName} ownerName={ownerName} lastDay={lastDay} />}
    </ConfirmDialog>
  )
}

/** The parties and the plan of the contract, and the last day to withdraw from it. */
function Contract({
  planName,
  ownerName,
  lastDay,
}: {
  planName: string
  ownerName: string
  lastDay: string
}) {
  const user = useUser()
  const { data: own } = useQuery(ownNameQuery(user))
  return (
    <Stack gap="sm" mt="md">
      <dl className={`${classes.panel} ${classes.sum}`}>
        <Line name={t`Your name`}>{own?.name ?? user.name}</Line>
        <Line name={t`Contract`}>{t`A place in ${planName}, shared by ${ownerName}`}</Line>
        <Line name={t`Email`}>{user.email}</Line>
      </dl>
      <Text inherit>
        <Trans>You can withdraw up to and including {lastDay}, without giving a reason.</Trans>
      </Text>
    </Stack>
  )
}

const Line = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className={classes.words}>{children}</dd>
  </div>
)

/** The text about the refund of a contract withdrawal. */
function contractWithdrawalRefund(
  { settlement, currency, backNow, accessGivenAt, beginsAtOnceAt }: OwnSeat,
  ownerName: string,
): string {
  const direct = settlement === 'direct'
  if (backNow === null) return t`Your problem stays open. What comes back is held until it is closed.`
  if (backNow === 0)
    return direct
      ? beginsAtOnceAt
        ? t`You pay ${ownerName} only for the days you had access.`
        : t`You owe nothing.`
      : t`You haven’t paid us anything yet, so you pay us nothing.`
  const sum = formatMoney(backNow, currency)
  const back = direct
    ? plural(LIMITS.contractRefundTimeHours / 24, {
        one: `${ownerName} owes you ${sum}, within # day.`,
        other: `${ownerName} owes you ${sum}, within # days.`,
      })
    : plural(LIMITS.contractRefundTimeHours / 24, {
        one: `${sum} comes back within # day: first to your card, and what you paid in coins as coins.`,
        other: `${sum} comes back within # days: first to your card, and what you paid in coins as coins.`,
      })
  const why =
    accessGivenAt && beginsAtOnceAt
      ? t`You asked to begin at once, so you pay for the days you had access.`
      : t`That is all you paid.`
  return `${back} ${why}`
}

/** Returns what happens to paid and due money if the person leaves now without a contract withdrawal. `now` in ms. */
function whatComesBack(seat: OwnSeat, ownerName: string, due: Payment | undefined, now: number): string {
  if (seat.problemId) return t`Your problem stays open, and decides what you get back.`
  const step = accessStep(seat)
  if (step === 'unpaid') return ''
  if (seat.settlement === 'direct' && step === 'waiting')
    return seat.paidUntil ? t`You don’t have access yet, so ${ownerName} owes you everything you paid.` : ''
  if (due)
    return wasUsed(due, now)
      ? t`You still owe ${ownerName} ${formatMoney(due.amount, due.currency)}.`
      : t`You owe nothing.`
  // If nothing is due and nothing is paid yet, the payment is, for instance, claimed or disputed. Leaving does not
  // change that, so there is nothing to say.
  if (!seat.paidUntil) return ''
  if (step === 'waiting') return t`You don’t have access yet, so you get everything back.`
  return t`You get no refund for the rest of the month.`
}

/** True if the payment stays due after leaving, because the place was used for long enough. */
const wasUsed = ({ payable, startsAt }: Payment, now: number) =>
  payable && startsAt !== null && now - Date.parse(startsAt) >= LIMITS.leastUseHours * 60 * 60_000
