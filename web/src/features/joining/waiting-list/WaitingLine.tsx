import { t } from '@lingui/core/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { waitingListTexts } from './waiting-list.messages.ts'
import { useJoinWaitingList, useLeaveWaitingList } from './waiting-list.mutations.ts'
import { waitingListsQuery } from './waiting-list.queries.ts'

interface WaitingLineProps {
  plan: Pick<Plan, 'id' | 'provider' | 'name'>
  userId: string
  /** True if the plan has no free place for this person, so that they can only wait. */
  full: boolean
}

/** The person's position in a plan's waiting list, with buttons to join and leave it. */
export function WaitingLine({ plan, userId, full }: WaitingLineProps) {
  const { data } = useQuery(waitingListsQuery(userId))
  const join = useJoinWaitingList(userId)
  const leave = useLeaveWaitingList(userId)
  const { id: subscriptionId, provider, name } = plan
  const own = data?.find((one) => one.subscriptionId === subscriptionId)
  if (!own && !(full && data)) return null
  if (!own)
    return (
      <Button
        variant="light"
        fullWidth
        loading={join.isPending}
        aria-label={t`Join the waiting list for ${provider} ${{ name: planName(name) }}`}
        onClick={() => join.mutate({ subscriptionId, provider, name })}
      >
        {t`Join the waiting list`}
      </Button>
    )
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Stack gap={0} role="status">
        <Text size="sm" fw={600}>
          {own.offeredUntil ? t`A place is kept for you` : waitingListTexts.position(own.position)}
        </Text>
        <Text size="sm" c="dimmed">
          {own.offeredUntil ? t`Until ${fullDate(own.offeredUntil)}` : t`On the waiting list`}
        </Text>
      </Stack>
      <Button
        variant="subtle"
        color="beet"
        px="sm"
        aria-label={t`Leave the waiting list for ${provider} ${{ name: planName(name) }}`}
        onClick={() => leave.mutate(own)}
      >
        {own.offeredUntil ? t`Decline` : t`Leave`}
      </Button>
    </Group>
  )
}
