import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { priceEach } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import type { OwnSeat } from '#domain/seats.ts'
import { firstName } from '#domain/text.ts'
import { ownNameQuery } from '#features/account/profiles/profiles.queries.ts'
import { paidQuery } from '#features/money/payments/group.queries.ts'
import { Proof } from '#features/money/payments/Proof.tsx'
import { paymentTexts } from '#features/money/payments/payments.messages.ts'
import { ownSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { type User, useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { BackLink } from '#ui/links.tsx'

export const Route = createFileRoute('/_shell/_signed-in/manage-subscribed/$planId/proof')({
  component: PlaceProof,
})

/** A proof of the person's own place in a plan, to print. */
function PlaceProof() {
  const { planId } = Route.useParams()
  const user = useUser()
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/manage-subscribed/$planId" params={{ planId }}>
        {t`Back to the plan`}
      </BackLink>
      <Loaded of={useQuery(ownSeatsQuery(user.id))} rows={4} failed={paymentTexts.seatsFailed}>
        {(seats) => {
          const seat = seats.find((one) => one.planId === planId)
          if (seat && seat.status !== 'paying') return <SeatProof seat={seat} user={user} />
          return (
            <EmptyState order={1} title={t`You have no place here`}>
              {t`A proof is for your own place in a plan.`}
            </EmptyState>
          )
        }}
      </Loaded>
    </Container>
  )
}

function SeatProof({ seat, user }: { seat: OwnSeat; user: User }) {
  const { planName, ownerName, openedAt, memberPrice, cycle, paidUntil, settlement, currency } = seat
  const name = useQuery(ownNameQuery(user)).data?.name
  return (
    <Loaded of={useQuery(paidQuery(seat.id))} rows={4} failed={paymentTexts.failed}>
      {(payments) => (
        <Proof
          place={{
            ...{ plan: planName, owner: firstName(ownerName), member: name ?? user.email, since: openedAt },
            ...{ share: priceEach(formatMoney(memberPrice, currency), cycle), paidUntil, currency },
            isDirect: settlement === 'direct',
            payments: payments.flatMap(({ receiptNumber: receipt, paidAt, amount, returned }) =>
              returned < amount ? [{ receipt, paidAt, amount }] : [],
            ),
          }}
        />
      )}
    </Loaded>
  )
}
