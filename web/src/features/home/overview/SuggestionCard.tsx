import { Button, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { categoryLabel, toCategory } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import { counted } from '#domain/plural.ts'
import { CopyField } from '#ui/CopyField.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import type { Suggestion } from './home.queries.ts'

/** Suggests one thing worth doing. */
export function SuggestionCard({ suggestion }: { suggestion: Suggestion }) {
  return (
    <SurfaceCard component="section" aria-labelledby="suggestion-title">
      <Stack gap="sm">
        {suggestion.kind === 'free-places' ? <FreePlaces {...suggestion} /> : <Cheapest {...suggestion} />}
      </Stack>
    </SurfaceCard>
  )
}

function Heading({ children }: { children: string }) {
  return (
    <Title order={2} size="h4" id="suggestion-title">
      {children}
    </Title>
  )
}

function FreePlaces({ planId, plan, places, isPrivate }: Extract<Suggestion, { kind: 'free-places' }>) {
  return (
    <>
      <Heading>{`${counted(places, 'free place')} in ${plan}`}</Heading>
      <Text size="sm" c="dimmed">
        Send the link to somebody you would share it with. They see the price and can ask for a place.
      </Text>
      {isPrivate ? (
        <Button
          variant="light"
          w="fit-content"
          renderRoot={(root) => <Link {...root} to="/manage-shared/$planId" params={{ planId }} />}
        >
          Get its link
        </Button>
      ) : (
        <CopyField label="Link" value={`${location.origin}/plans/${planId}`} />
      )}
    </>
  )
}

function Cheapest({ planId, plan, category, cost, alone }: Extract<Suggestion, { kind: 'cheapest' }>) {
  return (
    <>
      <Heading>{`${plan} for ${formatMoney(cost)} a month`}</Heading>
      <Text size="sm" c="dimmed">
        The cheapest place in {categoryLabel(toCategory(category))} right now. Alone it is{' '}
        {formatMoney(alone)}.
      </Text>
      <Button
        variant="light"
        w="fit-content"
        renderRoot={(root) => <Link {...root} to="/plans/$planId" params={{ planId }} />}
      >
        See the plan
      </Button>
    </>
  )
}
