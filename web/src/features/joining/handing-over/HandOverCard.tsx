import { t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { fullDay } from '#domain/dates.ts'
import type { Plan } from '#domain/plan.ts'
import type { PlanSeat } from '#domain/seats.ts'
import { AnnounceButton } from '#features/people/chat/AnnounceButton.tsx'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { planOfferQuery, useWithdrawOffer } from './handover.ts'

const HandOverDialog = lazyPart(async () => (await import('./HandOverDialog.tsx')).HandOverDialog)

/**
 * Lets the owner hand a private plan that is paid directly over to a member, and shows an open offer. For other plans,
 * says how a member takes over. Renders nothing if nobody can.
 */
export function HandOverCard({ plan, seats }: { plan: Plan; seats: readonly PlanSeat[] }) {
  const isPossible = plan.isPrivate && plan.settlement === 'direct'
  const { data: offer } = useQuery({ ...planOfferQuery(plan.id), enabled: isPossible })
  const withdraw = useWithdrawOffer(plan.id)
  const [opened, { open, close }] = useDisclosure()
  const people = seats.filter(({ endsAt, isGuest, claimedName }) => !(endsAt || isGuest || claimedName))
  if (!isPossible)
    return (
      plan.currentMembers > 1 && (
        <SectionCard titleId="hand-over-title" title={t`Hand over the plan`} gap="sm" align="flex-start">
          <Text>
            {t`Only private plans that are paid directly can change their owner. Let a member share the plan anew, and send everybody its link: they ask for a place with one press.`}
          </Text>
          <AnnounceButton plan={plan} />
        </SectionCard>
      )
    )
  if (people.length === 0 && !offer) return null
  return (
    <SectionCard titleId="hand-over-title" title={t`Hand over the plan`} gap="sm" align="flex-start">
      {offer ? (
        <>
          <Text>
            {offer.acceptedAt
              ? t`${{ person: offer.person }} takes the plan over on ${{ day: fullDay(offer.at) }}.`
              : t`Offered to ${{ person: offer.person }}, who hasn’t answered yet.`}
          </Text>
          <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {t`Withdraw offer`}
          </Button>
        </>
      ) : (
        <>
          <Text>{t`A member becomes its owner, and everybody keeps their place.`}</Text>
          <Button variant="default" onClick={open}>
            {t`Choose a member`}
          </Button>
        </>
      )}
      <LazyDialog opened={opened}>
        {(isOpen) => <HandOverDialog {...{ plan, people }} opened={isOpen} onClose={close} />}
      </LazyDialog>
    </SectionCard>
  )
}
