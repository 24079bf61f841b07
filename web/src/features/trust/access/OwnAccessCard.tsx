import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import type { ReactNode } from 'react'
import { fullDate } from '#domain/dates.ts'
import { accessStep, type OwnSeat } from '#domain/seats.ts'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
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
      <Notice title="Access is on its way" left={accessDueAt && <TimeLeft until={accessDueAt} />}>
        <Text style={{ overflowWrap: 'anywhere' }}>
          {ownerName} has until {accessDueAt && fullDate(accessDueAt)} to give you access; otherwise{' '}
          {settlement === 'direct' ? 'they owe you all you paid.' : 'all you paid goes back by itself.'}
        </Text>
      </Notice>
    )
  if (step !== 'check' || problemId) return null
  return (
    <Notice title="You have access: does it work?">
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
    </Notice>
  )
}

interface NoticeProps {
  title: string
  left?: ReactNode
  children: ReactNode
}

function Notice({ title, left, children }: NoticeProps) {
  return (
    <SurfaceCard component="section" aria-labelledby="access-step-title">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h3" id="access-step-title">
            {title}
          </Title>
          {left}
        </Group>
        {children}
      </Stack>
    </SurfaceCard>
  )
}
