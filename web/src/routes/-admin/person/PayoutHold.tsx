import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { dayOf } from '#domain/renewal.ts'
import { useHoldPayouts, useReleasePayouts } from '#features/money/withdrawals/withdrawals.mutations.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import type { StaffPerson } from './staff-person.query.ts'

interface PayoutHoldProps {
  personId: string
  hold: NonNullable<StaffPerson['money']>['hold']
}

/** The hold on a person's payouts with reason and end, and buttons to hold or release them. */
export function PayoutHold({ personId, hold }: PayoutHoldProps) {
  const [opened, dialog] = useDisclosure()
  const release = useReleasePayouts(personId)
  return (
    <Group gap="sm" justify="space-between">
      <Text style={{ overflowWrap: 'anywhere' }} flex={1} miw={0}>
        {hold ? (
          <Trans>
            Payouts are held until {fullDay(hold.until)}: <bdi>{hold.ground}</bdi>
          </Trans>
        ) : (
          t`Payouts are not held.`
        )}
      </Text>
      {hold ? (
        <Button size="sm" variant="default" loading={release.isPending} onClick={() => release.mutate()}>
          {t`Release payouts`}
        </Button>
      ) : (
        <Button size="sm" variant="default" onClick={dialog.open}>
          {t`Hold payouts`}
        </Button>
      )}
      {opened && <HoldDialog personId={personId} onClose={dialog.close} />}
    </Group>
  )
}

/** Asks for the reason and the end of a hold, which the person can read. */
function HoldDialog({ personId, onClose }: { personId: string; onClose: () => void }) {
  const [ground, setGround] = useState('')
  const [day, setDay] = useState('')
  const hold = useHoldPayouts(personId, onClose)
  useFocusReturn()
  const isComplete = ground.trim() !== '' && day !== ''
  return (
    <Dialog opened onClose={() => hold.isPending || onClose()} title={t`Hold payouts`}>
      <ActionForm
        action={t`Hold payouts`}
        color="beet"
        busy={hold.isPending}
        disabled={!isComplete}
        onSubmit={() => isComplete && hold.mutate({ ground: ground.trim(), until: day })}
        onCancel={onClose}
      >
        <Text c="dimmed">
          {t`Until then nothing is paid out to them. They are told the reason and the day.`}
        </Text>
        <Textarea
          label={t`Reason`}
          autosize
          minRows={3}
          maxRows={8}
          maxLength={LIMITS.longestGround}
          withAsterisk
          value={ground}
          onChange={(event) => setGround(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          type="date"
          label={t`Until`}
          description={plural(LIMITS.longestHoldHours / 24, {
            one: '# day at most',
            other: '# days at most',
          })}
          min={dayOf(new Date())}
          withAsterisk
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      </ActionForm>
    </Dialog>
  )
}
