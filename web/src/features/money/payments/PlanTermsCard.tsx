import { t } from '@lingui/core/macro'
import { Group, Text, Title } from '@mantine/core'
import { isOwnPlan, type Plan } from '#domain/plan.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { ProposeButton } from './ProposeButton.tsx'
import { termsText } from './terms-text.ts'

/** A plan's terms (price and way of paying), with a button to propose others. For the owner. */
export function PlanTermsCard({ plan }: { plan: Plan }) {
  return (
    <SurfaceCard component="section" aria-labelledby="terms-title">
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} size="h3" id="terms-title">
          {t`Terms`}
        </Title>
        <ProposeButton plan={plan} />
      </Group>
      <Text>
        {isOwnPlan(plan) && plan.shareRule !== 'equal'
          ? t`The shares are not equal.`
          : t`A place costs ${{ terms: termsText(plan, plan) }}.`}
      </Text>
    </SurfaceCard>
  )
}
