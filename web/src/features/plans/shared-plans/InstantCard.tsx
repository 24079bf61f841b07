import { t } from '@lingui/core/macro'
import { Title } from '@mantine/core'
import type { Plan } from '#domain/plan.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { InstantChoice } from './InstantChoice.tsx'
import { useLetInAtOnce } from './plans.mutations.ts'

interface InstantCardProps {
  plan: Plan
  userId: string
  /** Calls `next` once the plan has access data, which instant members need immediately. */
  prepare: (next: () => void) => void
}

/** Lets the owner of a plan that is paid through the site choose who gets a place without approval. */
export function InstantCard({ plan, userId, prepare }: InstantCardProps) {
  const change = useLetInAtOnce(plan, userId)
  if (plan.settlement === 'direct') return null
  return (
    <SurfaceCard component="section" aria-labelledby="instant-title">
      <Title order={2} size="h3" id="instant-title" mb="sm">
        {t`Instant Places`}
      </Title>
      <InstantChoice
        from={plan.instantFrom}
        disabled={change.isPending}
        onChange={(from) => (from ? prepare(() => change.mutate(from)) : change.mutate(null))}
      />
    </SurfaceCard>
  )
}
