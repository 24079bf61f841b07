import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { isOwnPlan, type Plan } from '#domain/plan.ts'
import type { PlanSeat } from '#domain/seats.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { useEndWithPeriod } from './payments.mutations.ts'
import { proposalsQuery } from './terms.queries.ts'
import { sameTerms, termsText } from './terms-text.ts'

/** A member's answer to the plan's current terms, and the owner's action if the member keeps the old ones. */
export function SeatTerms({ seat, plan }: { seat: PlanSeat; plan: Plan }) {
  const { data: proposals } = useQuery(proposalsQuery(plan.id))
  const [ending, { open, close }] = useDisclosure()
  const end = useEndWithPeriod(close)
  const latest = proposals?.find(({ seatId }) => seatId === seat.id)
  const isOwn = isOwnPlan(plan)
  // In an own plan with unequal shares, a member has other terms only if they have not accepted theirs.
  if (isOwn ? latest?.accepted !== null && latest?.accepted !== false : sameTerms(seat, plan))
    return latest?.accepted ? (
      <Text size="sm" c="dimmed">
        {t`Has agreed to the terms of the plan.`}
      </Text>
    ) : null
  return (
    <>
      <Text size="sm" component="div">
        {t`Old terms: ${{ terms: termsText(seat, plan) }}.`}{' '}
        {latest?.accepted === null && (
          <Trans>
            Asked <RelativeDate date={latest.proposedAt} />, no answer yet.
          </Trans>
        )}
        {latest?.accepted === false && t`Declined new terms.`}
      </Text>
      {!seat.endsAt && (
        <Button variant="subtle" color="beet" size="sm" w="fit-content" onClick={open}>
          {isOwn ? t`End place on the next payment day` : t`End place after this month`}
        </Button>
      )}
      <ConfirmDialog
        opened={ending}
        title={
          isOwn
            ? t`End the place of ${seat.memberName} on the next payment day?`
            : t`End the place of ${seat.memberName} after this month?`
        }
        confirmLabel={t`End place`}
        cancelLabel={t`Keep member`}
        busy={end.isPending}
        onConfirm={() => end.mutate(seat.id)}
        onClose={close}
      >
        <Trans>{seat.memberName} is told now and keeps access until then. This cannot be undone.</Trans>
      </ConfirmDialog>
    </>
  )
}
