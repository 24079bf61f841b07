import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack, Text, Title } from '@mantine/core'
import { categoryLabel, toCategory } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import { SharePlan } from '#features/plans/shared-plans/SharePlan.tsx'
import { LinkButton } from '#ui/links.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import type { Suggestion } from './home.queries.ts'

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

function FreePlaces({ planId, plan, places }: Extract<Suggestion, { kind: 'free-places' }>) {
  return (
    <>
      <Heading>{t`${plural(places, { one: '# free place', other: '# free places' })} in ${plan}`}</Heading>
      <Text size="sm" c="dimmed">
        {t`Share the link with people you trust. They can ask for a place.`}
      </Text>
      <SharePlan planId={planId} title={plan} variant="light" />
    </>
  )
}

function Cheapest({ planId, plan, category, cost, alone }: Extract<Suggestion, { kind: 'cheapest' }>) {
  return (
    <>
      <Heading>{t`${plan} for ${formatMoney(cost)} a month`}</Heading>
      <Text size="sm" c="dimmed">
        <Trans>
          The cheapest place in {categoryLabel(toCategory(category))} right now. On your own it costs{' '}
          {formatMoney(alone)}.
        </Trans>
      </Text>
      <LinkButton variant="light" w="fit-content" to="/plans/$planId" params={{ planId }}>
        {t`See the plan`}
      </LinkButton>
    </>
  )
}
