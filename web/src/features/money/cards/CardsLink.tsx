import { Button, Stack, Text, Title } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { providerQuery } from '#features/money/payments/provider.queries.ts'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

/** A link to one's cards, on a site that takes cards. */
export function CardsLink() {
  const { data: provider } = useQuery(providerQuery)
  if (!provider) return null
  return (
    <SurfaceCard component="section" aria-labelledby="cards-title">
      <Stack gap="md" align="flex-start">
        <Title order={2} id="cards-title">
          Cards
        </Title>
        <SimulationNotice />
        <Text c="dimmed">What your places in plans are paid with.</Text>
        <Button
          renderRoot={(root) => <Link {...root} to="/cards" />}
          variant="default"
          leftSection={<IconCreditCard size={18} aria-hidden />}
        >
          Open cards
        </Button>
      </Stack>
    </SurfaceCard>
  )
}
