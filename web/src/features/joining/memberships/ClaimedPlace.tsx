import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import type { PlanSeat } from '#domain/seats.ts'
import { useAnswerClaim } from './guests.ts'

/** Asks the owner whether the account that took over a guest's place is that person. */
export function ClaimedPlace({ planId, seat }: { planId: string; seat: PlanSeat }) {
  const answer = useAnswerClaim(planId)
  const say = (isThem: boolean) => () => answer.mutate({ seatId: seat.id, isThem })
  const guest = seat.claimedName ?? ''
  return (
    <div role="status">
      <Text
        inherit
      >{t`Has taken over the place of ${guest}. Is it the same person? Until you say so they see no login.`}</Text>
      <Group gap="xs" mt={4}>
        <Button size="sm" loading={answer.isPending} onClick={say(true)}>
          {t`Yes, it’s ${guest}`}
        </Button>
        <Button size="sm" variant="default" loading={answer.isPending} onClick={say(false)}>
          {t`No, take it back`}
        </Button>
      </Group>
    </div>
  )
}
