import { Button, Group, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import type { ReactNode } from 'react'
import { fullDate } from '#domain/dates.ts'
import { accessStep, type OwnSeat } from '#domain/seats.ts'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useConfirmAccess } from './access.mutations.ts'

interface OwnAccessCardProps {
  seat: OwnSeat
  /** The button that reports a problem. */
  wrong: ReactNode
}

/** A paid place waiting for access: the owner's deadline, then the question whether it works; nothing once it does. */
export function OwnAccessCard({ seat, wrong }: OwnAccessCardProps) {
  const confirm = useConfirmAccess(seat.id)
  const { ownerName, accessDueAt, invitedAddress, problemId, settlement } = seat
  const step = accessStep(seat)
  if (step === 'waiting')
    return (
      <SectionCard
        titleId="access-step-title"
        title="Access is on its way"
        size="h3"
        aside={accessDueAt && <TimeLeft until={accessDueAt} />}
        gap="sm"
      >
        <Text style={{ overflowWrap: 'anywhere' }}>
          {ownerName} has until {accessDueAt && fullDate(accessDueAt)} to give you access; otherwise{' '}
          {settlement === 'direct' ? 'they owe you all you paid.' : 'all you paid goes back automatically.'}
        </Text>
      </SectionCard>
    )
  if (step !== 'check' || problemId) return null
  return (
    <SectionCard titleId="access-step-title" title="You have access: does it work?" size="h3" gap="sm">
      <Text style={{ overflowWrap: 'anywhere' }}>
        {invitedAddress
          ? `${ownerName} has sent the invitation to ${invitedAddress}.`
          : 'What gets you in is on this page.'}{' '}
        Without a word from you within {LIMITS.accessSilenceHours} hours it counts as working.
      </Text>
      <Group gap="sm">
        <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
          It works
        </Button>
        {wrong}
      </Group>
    </SectionCard>
  )
}
