import { t } from '@lingui/core/macro'
import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { accessStep, lastDayToWithdraw, type OwnSeat } from '#domain/seats.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import type { LeaveButtonProps } from './LeaveButton.tsx'
import { useLeaveLater, useLeavePlan } from './memberships.mutations.ts'

interface LeaveDialogProps extends LeaveButtonProps {
  opened: boolean
  close: () => void
}

/** Ends the person's own place on a plan, with its period or at once, after explaining both. */
export function LeaveDialog({ plan, userId, seat, until, onLeft, opened, close }: LeaveDialogProps) {
  const [chosen, setChosen] = useState<'later' | 'now'>('later')
  const leave = useLeavePlan(plan.id, userId, onLeft)
  const leaveLater = useLeaveLater()
  const mayWait = seat !== undefined && until !== null && seat.endsAt === null
  const confirm = () => {
    if (mayWait && chosen === 'later') leaveLater.mutate({ seat, until }, { onSettled: close })
    else leave.mutate(undefined, { onSettled: close })
  }
  const { provider, name, ownerName } = plan
  const lastDay = seat ? lastDayToWithdraw(seat) : null
  const lost = t`You lose access to ${provider} ${name} right away.`
  const now = `${lost} ${seat ? whatComesBack(seat, ownerName) : ''}`.trim()
  return (
    <ConfirmDialog
      opened={opened}
      title={t`Leave Subscription`}
      confirmLabel={t`Leave plan`}
      cancelLabel={t`Stay`}
      busy={leave.isPending || leaveLater.isPending}
      onConfirm={confirm}
      onClose={close}
    >
      {mayWait ? (
        <Radio.Group
          label={t`When do you want to leave?`}
          value={chosen}
          onChange={(value) => setChosen(value === 'now' ? 'now' : 'later')}
        >
          <Stack gap="sm" mt="xs">
            <Radio
              value="later"
              label={t`On ${fullDay(until)}, at the end of the month`}
              description={t`You keep access until then, and can change your mind.`}
            />
            <Radio value="now" label={t`Now`} description={now} />
          </Stack>
        </Radio.Group>
      ) : (
        now
      )}
      {lastDay && seat?.accessGivenAt && (
        <Text inherit mt="sm">
          {t`Up to and including ${lastDay} you can withdraw from the contract instead, under “Your place”: then you get back what you haven’t used.`}
        </Text>
      )}
    </ConfirmDialog>
  )
}

/** What leaving now means for the money already paid. */
function whatComesBack(seat: OwnSeat, ownerName: string): string {
  if (seat.problemId) return t`Your problem stays open, and decides what you get back.`
  const step = accessStep(seat)
  if (step === 'unpaid') return ''
  if (seat.settlement === 'direct')
    return step === 'waiting'
      ? t`You don’t have access yet, so ${ownerName} owes you everything you paid.`
      : ''
  if (step === 'waiting') return t`You don’t have access yet, so you get everything back.`
  return t`You get no refund for the rest of the month.`
}
