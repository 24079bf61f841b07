import { t } from '@lingui/core/macro'
import { Text, Title } from '@mantine/core'
import type { Plan } from '#domain/plan.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { InstantChoice } from './InstantChoice.tsx'
import { useLetInAtOnce } from './plans.mutations.ts'

/** Lets the owner choose who gets a place without approval. */
export function InstantCard({ plan, userId }: { plan: Plan; userId: string }) {
  const change = useLetInAtOnce(plan, userId)
  return (
    <SurfaceCard component="section" aria-labelledby="instant-title">
      <Title order={2} size="h3" id="instant-title" mb="sm">
        {t`Instant Places`}
      </Title>
      {plan.settlement === 'potluck' ? (
        <InstantChoice from={plan.instantFrom} disabled={change.isPending} onChange={change.mutate} />
      ) : (
        <Text>{t`You approve each request. Only plans paid through Potluck can let people in instantly.`}</Text>
      )}
    </SurfaceCard>
  )
}
