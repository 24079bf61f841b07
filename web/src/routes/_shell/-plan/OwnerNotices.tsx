import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { Plan } from '#domain/plan.ts'
import { dayOf } from '#domain/renewal.ts'
import { ProposeButton } from '#features/money/payments/ProposeButton.tsx'
import { useEndNotice } from '#features/plans/notices/notices.mutations.ts'
import { PlanNotices } from '#features/plans/notices/PlanNotices.tsx'

/** A plan's notices for its owner, who can ask members for a new share, or end a notice. */
export function OwnerNotices({ plan }: { plan: Plan }) {
  const end = useEndNotice(plan.id)
  const today = dayOf(new Date())
  return (
    <PlanNotices
      plan={plan}
      userId={plan.ownerId}
      actions={({ id, kind, price, day }) => (
        <>
          {kind === 'price' && <ProposeButton plan={plan} {...(price && { price })} />}
          <Button
            variant="default"
            size="sm"
            loading={end.isPending && end.variables === id}
            onClick={() => end.mutate(id)}
          >
            {day < today ? t`Remove` : kind === 'price' ? t`The price stays` : t`There is no pause`}
          </Button>
        </>
      )}
    />
  )
}
