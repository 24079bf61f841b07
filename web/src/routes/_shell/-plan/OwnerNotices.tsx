import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { ProposeButton } from '#features/money/payments/ProposeButton.tsx'
import { useEndNotice } from '#features/plans/notices/notices.mutations.ts'
import { PlanNotices } from '#features/plans/notices/PlanNotices.tsx'
import type { PlanViewProps } from './PlanStates.tsx'

/** A plan's notices for its owner, who can ask members for a new share, or end a notice before its day. */
export function OwnerNotices({ plan, user }: Omit<PlanViewProps, 'onChat'>) {
  const end = useEndNotice(plan.id)
  return (
    <PlanNotices
      plan={plan}
      userId={user.id}
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
