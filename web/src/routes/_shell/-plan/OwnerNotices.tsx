import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { Plan } from '#domain/plan.ts'
import { ProposeButton } from '#features/money/payments/ProposeButton.tsx'
import { useEndNotice } from '#features/plans/notices/notices.mutations.ts'
import { PlanNotices } from '#features/plans/notices/PlanNotices.tsx'

/** A plan's notices for its owner, who can ask members for a new share, or end a notice before its day. */
export function OwnerNotices({ plan }: { plan: Plan }) {
  const end = useEndNotice(plan.id)
  return (
    <PlanNotices
      plan={plan}
      userId={plan.ownerId}
      actions={({ id, kind, price }) => (
        <>
          {kind === 'price' && <ProposeButton plan={plan} {...(price && { price })} />}
          <Button
            variant="default"
            size="sm"
            loading={end.isPending && end.variables === id}
            onClick={() => end.mutate(id)}
          >
            {kind === 'price' ? t`The price stays` : t`There is no pause`}
          </Button>
        </>
      )}
    />
  )
}
