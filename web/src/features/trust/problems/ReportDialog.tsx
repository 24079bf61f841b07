import { t } from '@lingui/core/macro'
import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { REASONS, type Reason } from '#domain/problems.ts'
import { accessPromise, accessStep, type OwnSeat } from '#domain/seats.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { HouseholdRule } from './HouseholdRule.tsx'
import { NoteField } from './NoteField.tsx'
import { adviceOn } from './problem-words.ts'
import { useReport } from './problems.mutations.ts'

interface ReportDialogProps {
  seat: OwnSeat
  opened: boolean
  onClose: () => void
  onReported: (problemId: string) => void
}

/** The form to report a problem. While it is too early for a report, explains what happens without one. */
export function ReportDialog({ seat, opened, onClose, onReported }: ReportDialogProps) {
  const byItself = comesByItself(seat)
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Something is wrong`}>
      {byItself ? (
        <Stack gap="md">
          <Text>{byItself}</Text>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {t`Got it`}
            </Button>
          </Group>
        </Stack>
      ) : (
        <ReportForm seat={seat} onClose={onClose} onReported={onReported} />
      )}
    </Dialog>
  )
}

function comesByItself(seat: OwnSeat): string | null {
  const { ownerName, settlement, status } = seat
  switch (accessStep(seat)) {
    case 'unpaid':
      if (settlement === 'direct') return t`${ownerName} gives you access once your first payment arrives.`
      return t`You get access once your first payment goes through.`
    case 'waiting':
      return accessPromise(seat)
    default:
      if (settlement === 'potluck' && status === 'late')
        return t`Your access is closed until your payment goes through.`
      return null
  }
}

function ReportForm({ seat, onClose, onReported }: Omit<ReportDialogProps, 'opened'>) {
  const [reason, setReason] = useState<Reason | null>(null)
  const [note, setNote] = useState('')
  const report = useReport(seat, onReported)
  const { ownerName } = seat
  const advice = reason && adviceOn({ reason, ownerName, memberName: '' }, 'member')
  return (
    <ActionForm
      action={t`Report problem`}
      busy={report.isPending}
      disabled={!reason}
      onSubmit={() => reason && report.mutate({ reason, note })}
      onCancel={onClose}
    >
      <Radio.Group
        label={t`What is wrong?`}
        value={reason}
        onChange={(value) => setReason(value as Reason)}
        withAsterisk
      >
        <Stack gap={0} mt={4}>
          {Object.entries(REASONS).map(([value, label]) => (
            <Radio
              key={value}
              value={value}
              label={label}
              mih={44}
              styles={{ body: { minHeight: 44, alignItems: 'center' } }}
            />
          ))}
        </Stack>
      </Radio.Group>
      {advice && <Text role="status">{advice}</Text>}
      {reason === 'household' && <HouseholdRule planName={seat.planName} />}
      <NoteField label={t`Message to ${seat.ownerName} (optional)`} value={note} onChange={setNote} />
      <Text size="sm" c="dimmed">
        {seat.settlement === 'potluck'
          ? t`${ownerName} has ${LIMITS.problemAnswerTimeHours} hours to answer. Otherwise your place ends and you get back what you paid for the rest of the month.`
          : t`${ownerName} has ${LIMITS.problemAnswerTimeHours} hours to answer. Otherwise your place ends and ${ownerName} owes you what you paid for the rest of the month.`}
      </Text>
    </ActionForm>
  )
}
