import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import type { PlanSeat } from '#domain/seats.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { useEndWithPeriod } from './payments.mutations.ts'
import { proposalsQuery } from './terms.queries.ts'
import { sameTerms, termsText } from './terms-text.ts'

/** A member's answer to the plan's present terms, and what the owner can do if they keep the old ones. */
export function SeatTerms({ seat, plan }: { seat: PlanSeat; plan: Plan }) {
  const { data: proposals } = useQuery(proposalsQuery(plan.id))
  const [ending, { open, close }] = useDisclosure()
  const end = useEndWithPeriod(close)
  const latest = proposals?.find(({ seatId }) => seatId === seat.id)
  if (sameTerms(seat, plan))
    return latest?.accepted ? (
      <Text size="sm" c="dimmed">
        Has agreed to the terms of the plan.
      </Text>
    ) : null
  return (
    <>
      <Text size="sm" component="div">
        Old terms: {termsText(seat, plan)}.{' '}
        {latest?.accepted === null && (
          <>
            Asked <RelativeDate date={latest.proposedAt} />, no answer yet.
          </>
        )}
        {latest?.accepted === false && 'Declined new terms.'}
      </Text>
      {!seat.endsAt && (
        <Button variant="subtle" color="beet" size="sm" w="fit-content" onClick={open}>
          {' '}
          End place after this month{' '}
        </Button>
      )}
      <ConfirmDialog
        opened={ending}
        title={`End the place of ${seat.memberName} after this month?`}
        confirmLabel="End place"
        cancelLabel="Keep member"
        busy={end.isPending}
        onConfirm={() => end.mutate(seat.id)}
        onClose={close}
      >
        {seat.memberName} is told now and keeps access until the month ends. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}
