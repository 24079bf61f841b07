import { Button, Card, Container } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Plan } from '#domain/plan.ts'
import { isFull } from '#domain/slots.ts'
import { AvailablePlanCard } from '#features/browse/AvailablePlanCard.tsx'
import { useKeptPlacesLive } from '#features/browse/browse.live.ts'
import { JoinButton } from '#features/browse/JoinButton.tsx'
import { Joining } from '#features/browse/Joining.tsx'
import { mayWait } from '#features/browse/join-state.ts'
import { useKeptPlaces } from '#features/browse/use-kept-places.ts'
import { forgetAsking, readAsking } from '#features/cards/asking.ts'
import { PrecedenceNotice } from '#features/precedence/PrecedenceNotice.tsx'
import { WaitingLine } from '#features/waiting-list/WaitingLine.tsx'
import { useWaitingListsLive } from '#features/waiting-list/waiting-list.live.ts'
import { onceOnline } from '#lib/online.ts'
import type { User } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { AskingCost } from '../-AskingCost.tsx'
import { brandOf } from '../-brand.tsx'
import { Level } from '../-Level.tsx'
import { useStanding } from '../-use-standing.ts'

const PersonReviews = lazy(() => onceOnline(() => import('../-PersonReviews.tsx')))

/** A plan on offer, for somebody a link has brought here: what it costs, whose it is, and the way to ask for a place. */
export default function StrangerView({ plan, user }: { plan: Plan; user: User }) {
  const standing = useStanding(user.id)
  useKeptPlacesLive(plan.id)
  useWaitingListsLive(user.id)
  const [offer = plan] = useKeptPlaces([plan])
  const here = `/subscription/${encodeURIComponent(plan.id)}`
  const [asked] = useState(() => (readAsking()?.path === here ? readAsking() : null))
  useEffect(forgetAsking, [])
  return (
    <Container size="xs" px={0} py="lg">
      <PageTitle title="Join this plan">
        {plan.ownerName} shares {plan.provider} {plan.name}. Members split the cost.
      </PageTitle>
      <PrecedenceNotice planId={plan.id} userId={user.id} mb="md" />
      <Joining
        userId={user.id}
        brandOf={brandOf}
        interrupted={asked && { plan: offer, draft: asked }}
        levelOf={({ ownerId, ownerName }) => <Level userId={ownerId} name={ownerName} />}
        costOf={(asking, draft, change, atOnce) => (
          <AskingCost userId={user.id} plan={asking} draft={draft} change={change} atOnce={atOnce} />
        )}
      >
        {(ask) => (
          <AvailablePlanCard
            plan={offer}
            brand={brandOf(plan.provider)}
            level={<Level userId={plan.ownerId} name={plan.ownerName} />}
            action={<JoinButton plan={offer} standing={standing} onRequest={() => ask(offer)} />}
            line={
              standing &&
              mayWait(offer, standing) && <WaitingLine plan={plan} userId={user.id} full={isFull(offer)} />
            }
          />
        )}
      </Joining>
      <Suspense>
        <Card mt="md">
          <PersonReviews userId={plan.ownerId} name={plan.ownerName} />
        </Card>
      </Suspense>
      <Button
        variant="subtle"
        mt="md"
        renderRoot={(root) => <Link {...root} to="/available-subscriptions" />}
      >
        Browse other plans
      </Button>
    </Container>
  )
}
