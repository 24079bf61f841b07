import { t } from '@lingui/core/macro'
import { Title } from '@mantine/core'
import type { Plan } from '#domain/plan.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { InstantChoice } from './InstantChoice.tsx'
import { useLetInAtOnce } from './plans.mutations.ts'

/** Lets the owner of a plan paid through the site choose who gets a place without approval. */
export function InstantCard({ plan, userId }: { plan: Plan; userId: string }) {
  const change = useLetInAtOnce(plan, userId)
  return (
    <SurfaceCard component="section" aria-labelledby="instant-title">
      <Title order={2} size="h3" id="instant-title" mb="sm">
        {t`Instant Places`}
      </Title>
      <InstantChoice from={plan.instantFrom} disabled={change.isPending} onChange={change.mutate} />
    </SurfaceCard>
  )
}
