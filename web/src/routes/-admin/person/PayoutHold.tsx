import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { dayOf } from '#domain/renewal.ts'
import { ReasonsDialog } from '#features/account/decisions/ReasonsDialog.tsx'
import { useHoldPayouts, useReleasePayouts } from '#features/money/withdrawals/withdrawals.mutations.ts'
import type { StaffPerson } from './staff-person.query.ts'

interface PayoutHoldProps {
  personId: string
  hold: NonNullable<StaffPerson['money']>['hold']
}

/** The hold on a person's payouts with its end, and buttons to hold or release them. */
export function PayoutHold({ personId, hold }: PayoutHoldProps) {
  const [opened, dialog] = useDisclosure()
  const release = useReleasePayouts(personId)
  return (
    <Group gap="sm" justify="space-between">
      <Text style={{ overflowWrap: 'anywhere' }} flex={1} miw={180}>
        {hold ? <Trans>Payouts are held until {fullDay(hold.until)}.</Trans> : t`Payouts are not held.`}
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

/** Asks for the reasons and the end of a hold, which the person can read. */
function HoldDialog({ personId, onClose }: { personId: string; onClose: () => void }) {
  const [day, setDay] = useState('')
  const hold = useHoldPayouts(personId, onClose)
  return (
    <ReasonsDialog
      title={t`Hold payouts`}
      confirmLabel={t`Hold payouts`}
      measure="payouts-held"
      until={day === '' ? null : `${day}T23:59:59`}
      isComplete={day !== ''}
      busy={hold.isPending}
      onConfirm={(reasons) => hold.mutate({ reasons, until: day })}
      onClose={onClose}
    >
      {t`Until then nothing is paid out to them. They are told the reasons and the day.`}
      <TextInput
        type="date"
        mt="sm"
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
    </ReasonsDialog>
  )
}
