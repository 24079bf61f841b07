import { Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { isFull } from '#domain/slots.ts'
import { PrecedenceNotice } from '#features/joining/waiting-list/PrecedenceNotice.tsx'
import { WaitingLine } from '#features/joining/waiting-list/WaitingLine.tsx'
import { useWaitingListsLive } from '#features/joining/waiting-list/waiting-list.live.ts'
import { forgetRequest, readRequest } from '#features/money/cards/request-before-card.ts'
import { AskQuestion } from '#features/people/chat/AskQuestion.tsx'
import type { ChatPartner } from '#features/people/chat/chat.queries.ts'
import { useKeptPlacesLive } from '#features/plans/browse/browse.live.ts'
import type { AvailablePlan } from '#features/plans/browse/browse.queries.ts'
import { JoinButton } from '#features/plans/browse/JoinButton.tsx'
import { Joining } from '#features/plans/browse/Joining.tsx'
import { type JoinState, joinState, mayWait } from '#features/plans/browse/join-state.ts'
import type { OfferPage } from '#features/plans/browse/market.queries.ts'
import { useKeptPlaces } from '#features/plans/browse/use-kept-places.ts'
import { SharePlan } from '#features/plans/shared-plans/SharePlan.tsx'
import { lazyPart } from '#lib/online.ts'
import type { User } from '#lib/session.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { AskingCost } from '../-AskingCost.tsx'
import { brandOf } from '../-brand.tsx'
import { Level } from '../-Level.tsx'
import { useStanding } from '../-use-standing.ts'

const PersonChat = lazyPart(async () => (await import('../-PersonChat.tsx')).PersonChat)

interface AskForPlaceProps {
  offer: OfferPage
  user: User
  /** Opens the dialog at once: the person signed in in order to ask. */
  opensItself: boolean
}

/** What a signed-in person can do about a plan they have found. */
export default function AskForPlace({ offer, user, opensItself }: AskForPlaceProps) {
  const standing = useStanding(user.id)
  useKeptPlacesLive(offer.id)
  useWaitingListsLive(user.id)
  const [plan = offer] = useKeptPlaces([offer])
  const here = `/plans/${encodeURIComponent(offer.id)}`
  const [asked] = useState(() => (readRequest()?.path === here ? readRequest() : null))
  useEffect(forgetRequest, [])
  const own = standing && joinState(plan, standing) === 'owner'
  return (
    <Joining
      userId={user.id}
      brandOf={brandOf}
      interrupted={asked && { plan, draft: asked }}
      levelOf={({ ownerId, ownerName }) => <Level userId={ownerId} name={ownerName} />}
      costOf={(asking, draft, change, atOnce) => (
        <AskingCost userId={user.id} plan={asking} draft={draft} change={change} atOnce={atOnce} />
      )}
    >
      {(ask) => (
        <>
          {standing && opensItself && !asked && joinState(plan, standing) === 'open' && (
            <Once plan={plan} onShown={ask} />
          )}
          <PrecedenceNotice planId={plan.id} userId={user.id} />
          <JoinButton plan={plan} standing={standing} onRequest={() => ask(plan)} />
          {own && (
            <>
              <Text size="sm" c="dimmed">
                This is what others see of your plan.
              </Text>
              <SharePlan planId={plan.id} title={`${plan.provider} ${plan.name}`} />
            </>
          )}
          {standing && mayWait(plan, standing) && (
            <WaitingLine plan={plan} userId={user.id} full={isFull(plan)} />
          )}
          {standing && mayAsk.has(joinState(plan, standing)) && <Question offer={offer} userId={user.id} />}
        </>
      )}
    </Joining>
  )
}

/** Questions are for those who could ask for a place, or have. */
const mayAsk: ReadonlySet<JoinState> = new Set(['open', 'full', 'requested'])

function Question({ offer, userId }: { offer: OfferPage; userId: string }) {
  const { id: planId, ownerId, ownerName: name, ownerAvatarUrl: avatarUrl } = offer
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  return (
    <>
      <AskQuestion
        partner={{
          parties: { planId, ownerId, memberId: userId },
          planName: `${offer.provider} ${offer.name}`,
          ...{ name, avatarUrl },
        }}
        userId={userId}
        onChat={setPartner}
      />
      <LazyDialog opened={partner !== null}>
        {(opened) => (
          <PersonChat partner={opened ? partner : null} userId={userId} onClose={() => setPartner(null)} />
        )}
      </LazyDialog>
    </>
  )
}

function Once({ plan, onShown }: { plan: AvailablePlan; onShown: (plan: AvailablePlan) => void }) {
  const show = useEffectEvent(() => onShown(plan))
  useEffect(() => show(), [])
  return null
}
