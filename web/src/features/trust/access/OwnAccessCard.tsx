import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { accessPromise, accessStep, type OwnSeat } from '#domain/seats.ts'
import { ReportLink } from '#features/trust/problems/ReportLink.tsx'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { useMainButton } from '#ui/leads.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useConfirmAccess } from './access.mutations.ts'

/**
 * Shows how far the access of a paid place has got: the owner's deadline, then the question whether access works, then
 * the answer.
 */
export function OwnAccessCard({ seat }: { seat: OwnSeat }) {
  const confirm = useConfirmAccess(seat.id)
  const main = useMainButton()
  const { ownerName, accessDueAt, invitedAddress } = seat
  if (accessStep(seat) === 'works')
    return (
      <SectionCard titleId="access-step-title" title={t`Your access works`} gap="sm">
        <Text>{t`If something goes wrong later, report it here.`}</Text>
        <ReportLink seat={seat} />
      </SectionCard>
    )
  if (accessStep(seat) === 'waiting')
    return (
      <SectionCard
        titleId="access-step-title"
        title={t`Access is on its way`}
        aside={accessDueAt && <TimeLeft until={accessDueAt} />}
        gap="sm"
      >
        <Text style={{ overflowWrap: 'anywhere' }}>{accessPromise(seat)}</Text>
      </SectionCard>
    )
  return (
    <SectionCard titleId="access-step-title" title={t`Does your access work?`} gap="sm">
      <Text style={{ overflowWrap: 'anywhere' }}>
        {invitedAddress
          ? t`${ownerName} sent the invitation to ${invitedAddress}.`
          : t`See how to get in above.`}{' '}
        {t`If we don’t hear from you within ${LIMITS.accessSilenceHours} hours, we take it that it works.`}
      </Text>
      <Group gap="sm">
        <Button variant={main} loading={confirm.isPending} onClick={() => confirm.mutate()}>
          {t`It works`}
        </Button>
        <ReportLink seat={seat} variant="default" size="md" px="md" />
      </Group>
    </SectionCard>
  )
}
