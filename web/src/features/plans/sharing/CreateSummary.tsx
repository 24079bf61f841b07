import { Group, Text } from '@mantine/core'
import { type CataloguePlan, type Category, categoryLabel, perCycle } from '#domain/catalogue.ts'
import { Money } from '#ui/Money.tsx'
import { type Brand, SurfaceCard } from '#ui/SurfaceCard.tsx'

interface CreateSummaryProps {
  provider: string
  category: Category
  plan: CataloguePlan
  brand: Brand
}

/** A summary of the plan to be shared, beside the form. */
export function CreateSummary({ provider, category, plan, brand }: CreateSummaryProps) {
  return (
    <SurfaceCard look="provider" brand={brand}>
      <Group wrap="nowrap" gap="md">
        {brand.logo}
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
    </SurfaceCard>
  )
}
