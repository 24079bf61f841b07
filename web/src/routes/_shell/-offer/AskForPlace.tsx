import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { planName } from '#domain/plan-name.ts'
import { isFull } from '#domain/slots.ts'
import { JoinButton } from '#features/joining/join-requests/JoinButton.tsx'
import { type JoinState, joinState, mayWait } from '#features/joining/join-requests/join-state.ts'
import { RequestToJoin } from '#features/joining/join-requests/RequestToJoin.tsx'
import { usePlanRelations } from '#features/joining/join-requests/use-plan-relations.ts'
import { PrecedenceNotice } from '#features/joining/waiting-list/PrecedenceNotice.tsx'
import { WaitingLine } from '#features/joining/waiting-list/WaitingLine.tsx'
import { useWaitingListsLive } from '#features/joining/waiting-list/waiting-list.live.ts'
import { forgetRequest, readRequest } from '#features/money/cards/request-before-card.ts'
import { AskQuestion } from '#features/people/chat/AskQuestion.tsx'
import { type ChatPartner, chatPartner } from '#features/people/chat/chat.queries.ts'
import { PersonChat } from '#features/people/chat/PersonChat.tsx'
import { useOfferLive } from '#features/plans/browse/browse.live.ts'
import type { OfferPage } from '#features/plans/browse/market.queries.ts'
import { SharePlan } from '#features/plans/shared-plans/SharePlan.tsx'
import type { User } from '#lib/session.ts'

interface AskForPlaceProps {
  offer: OfferPage
  user: User
  /** Opens the dialog immediately, for a person who signed in to request a place. */
  opensItself: boolean
}

/** A signed-in person's actions on a plan's public page. */
export default function AskForPlace({ offer, user, opensItself }: AskForPlaceProps) {
  const relations = usePlanRelations(user.id)
  useOfferLive(offer.id)
  useWaitingListsLive(user.id)
  const here = `/plans/${encodeURIComponent(offer.id)}`
  const [asked] = useState(() => (readRequest()?.path === here ? readRequest() : null))
  useEffect(forgetRequest, [])
  // Opens the dialog only once: after a request is withdrawn or answered, the plan counts as open again for a moment.
  const [hasOpened, setHasOpened] = useState(false)
  const own = relations && joinState(offer, relations) === 'owner'
  return (
    <RequestToJoin userId={user.id} interrupted={asked && { plan: offer, draft: asked }}>
      {(ask) => (
        <>
          {relations && opensItself && !hasOpened && !asked && joinState(offer, relations) === 'open' && (
            <Once
              onShown={() => {
                setHasOpened(true)
                ask(offer)
              }}
            />
          )}
          <PrecedenceNotice planId={offer.id} userId={user.id} />
          <JoinButton plan={offer} relations={relations} onRequest={() => ask(offer)} />
          {own && (
            <>
              <Text size="sm" c="dimmed">
                {t`This is how others see your plan.`}
              </Text>
              <SharePlan planId={offer.id} title={`${offer.provider} ${planName(offer.name)}`} />
            </>
          )}
          {relations && mayWait(offer, relations) && (
            <WaitingLine plan={offer} userId={user.id} full={isFull(offer)} />
          )}
          {relations && mayAsk.has(joinState(offer, relations)) && (
            <Question offer={offer} userId={user.id} />
          )}
        </>
      )}
    </RequestToJoin>
  )
}

/** The states in which a person may ask a question: they could request a place, or have done so. */
const mayAsk: ReadonlySet<JoinState> = new Set(['open', 'full', 'requested'])

function Question({ offer, userId }: { offer: OfferPage; userId: string }) {
  const owner = { name: offer.ownerName, avatarUrl: offer.ownerAvatarUrl }
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  return (
    <>
      <AskQuestion partner={chatPartner(offer, userId, owner)} userId={userId} onChat={setPartner} />
      <PersonChat partner={partner} userId={userId} onClose={() => setPartner(null)} />
    </>
  )
}

function Once({ onShown }: { onShown: () => void }) {
  const show = useEffectEvent(onShown)
  useEffect(() => show(), [])
  return null
}
