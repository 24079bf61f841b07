import { Button, Container } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Plan } from '#domain/plan.ts'
import { AvailablePlanCard } from '#features/browse/AvailablePlanCard.tsx'
import { JoinButton } from '#features/browse/JoinButton.tsx'
import { Joining } from '#features/browse/Joining.tsx'
import { useKeptPlaces } from '#features/browse/use-kept-places.ts'
import { CostNote } from '#features/payments/CostNote.tsx'
import type { User } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { brandOf } from '../-brand.tsx'
import { useStanding } from '../-use-standing.ts'

/** A plan on offer, for somebody a link has brought here: what it costs, whose it is, and the way to ask for a place. */
export function StrangerView({ plan, user }: { plan: Plan; user: User }) {
  const standing = useStanding(user.id)
  const [offer = plan] = useKeptPlaces([plan])
  return (
    <Container size="xs" px={0} py="lg">
      <PageTitle title="Join this plan">
        {plan.ownerName} shares {plan.provider} {plan.name}. Members split the cost.
      </PageTitle>
      <Joining
        userId={user.id}
        brandOf={brandOf}
        costOf={({ id, ownerName }) => <CostNote planId={id} ownerName={ownerName} />}
      >
        {(ask) => (
          <AvailablePlanCard
            plan={offer}
            brand={brandOf(plan.provider)}
            action={<JoinButton plan={offer} standing={standing} onRequest={() => ask(offer)} />}
          />
        )}
      </Joining>
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
