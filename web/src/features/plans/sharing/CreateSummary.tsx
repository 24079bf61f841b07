import { Group, Text } from '@mantine/core'
import { type CataloguePlan, type Category, categoryLabel, perCycle } from '#domain/catalogue.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { Money } from '#ui/Money.tsx'

interface CreateSummaryProps {
  provider: string
  category: Category
  plan: CataloguePlan
}

/** A summary of the plan to be shared, beside the form. */
export function CreateSummary({ provider, category, plan }: CreateSummaryProps) {
  return (
    <ProviderCard provider={provider}>
      <Group wrap="nowrap" gap="md">
        <ProviderLogo provider={provider} />
        <div>
          <Text size="sm" c="dimmed">
            {provider} · {categoryLabel(category)}
          </Text>
          <Text fw={700} fz="lg" lh={1.3} ff="heading">
            {plan.name}
          </Text>
          <Money amount={plan.price} per={perCycle(plan.cycle)} fw={650} />
        </div>
      </Group>
      <Text c="dimmed" size="sm" mt="md" visibleFrom="sm">
        {plan.description}
      </Text>
    </ProviderCard>
  )
}
