import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { InviteMember } from '#features/joining/invitations/InviteMember.tsx'
import { ownedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'
import { SharePlan } from '#features/plans/shared-plans/SharePlan.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

interface AfterCreatingProps {
  planId: string
  userId: string
}

/** The plan just created, shown above the owner's list of plans: its link, and a button to invite somebody. */
export default function AfterCreating({ planId, userId }: AfterCreatingProps) {
  const plan = useQuery(ownedPlansQuery(userId)).data?.find(({ id }) => id === planId)
  return plan ? <NewPlan plan={plan} /> : null
}

function NewPlan({ plan }: { plan: Plan }) {
  const title = `${plan.provider} ${planName(plan.name)}`
  return (
    <SurfaceCard component="section" aria-labelledby="new-plan-title">
      <Title order={2} id="new-plan-title" style={{ overflowWrap: 'anywhere' }}>
        {plan.status === 'active' ? <Trans>{title} is shared</Trans> : title}
      </Title>
      {plan.status === 'active' ? (
        <>
          <Text c="dimmed" mb="md">{t`Anyone with the link can ask for a place.`}</Text>
          <Group align="flex-start" gap="sm">
            <SharePlan planId={plan.id} title={title} big />
            <InviteMember plan={plan} label={t`Invite by mail`} />
          </Group>
        </>
      ) : (
        <Text>{t`You can share it once we’ve reviewed your plan.`}</Text>
      )}
    </SurfaceCard>
  )
}
