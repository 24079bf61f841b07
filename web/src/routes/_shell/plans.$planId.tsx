import { Button, Container, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import * as z from 'zod/mini'
import { browseTexts } from '#features/browse/browse.messages.ts'
import { alikeQuery, type OfferPage, offerQuery } from '#features/browse/market.queries.ts'
import { OfferCards } from '#features/browse/OfferCards.tsx'
import { WizardFailure } from '#features/catalogue/WizardFailure.tsx'
import { LevelMark } from '#features/standing/LevelBadge.tsx'
import { onceOnline } from '#lib/online.ts'
import { useSession } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { brandOf } from './-brand.tsx'
import { AskAsVisitor } from './-offer/AskAsVisitor.tsx'
import { OfferView } from './-offer/OfferView.tsx'

// Visitors do not need it.
const AskForPlace = lazy(() => onceOnline(() => import('./-offer/AskForPlace.tsx')))

const searchSchema = z.object({
  /** Has the dialog open that asks for the place, for whoever had to sign in first. */
  ask: z.catch(z.optional(z.boolean()), undefined),
})

export const Route = createFileRoute('/_shell/plans/$planId')({
  validateSearch: searchSchema,
  loader: ({ context: { queryClient: cache }, params: { planId } }) => {
    void cache.prefetchQuery(offerQuery(planId))
  },
  component: Offered,
})

/** A plan as anybody may see it who has its link. */
function Offered() {
  const { planId } = Route.useParams()
  const { data: offer, error, isFetching, refetch } = useQuery(offerQuery(planId))
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      {offer === undefined &&
        (error ? (
          <WizardFailure
            title={browseTexts.failed}
            problem={error}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <CardGridSkeleton cards={2} columns={2} />
        ))}
      {offer === null && <Gone />}
      {offer && (
        <OfferView key={planId} offer={offer} brand={brandOf(offer.provider)} ask={<Ask offer={offer} />} />
      )}
      {offer !== undefined && <Alike planId={planId} provider={offer?.provider} />}
    </Container>
  )
}

function Ask({ offer }: { offer: OfferPage }) {
  const session = useSession()
  const { ask = false } = Route.useSearch()
  if (session.status === 'loading') return <Button loading>Request to join</Button>
  if (session.status === 'signed-out') return <AskAsVisitor offer={offer} />
  return (
    <Suspense fallback={<Button loading>Request to join</Button>}>
      <AskForPlace offer={offer} user={session.user} atOnce={ask} />
    </Suspense>
  )
}

function Gone() {
  return (
    <EmptyState
      order={1}
      title="This plan is not here"
      action={<Button renderRoot={(root) => <Link {...root} to="/plans" />}>See all plans</Button>}
    >
      Its owner may have ended it or made it private. Nothing was charged for looking.
    </EmptyState>
  )
}

function Alike({ planId, provider }: { planId: string; provider: string | undefined }) {
  const { data: offers = [] } = useQuery(alikeQuery(provider, planId))
  if (offers.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="alike" gap="md" mt="xl">
      <Title order={2} id="alike">
        {provider ? `More of ${provider}` : 'Plans with a place'}
      </Title>
      <OfferCards
        offers={offers}
        brandOf={brandOf}
        levelOf={({ ownerLevel }) => <LevelMark level={ownerLevel} />}
      />
    </Stack>
  )
}
