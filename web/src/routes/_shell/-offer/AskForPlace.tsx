import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { isFull } from '#domain/slots.ts'
import { PrecedenceNotice } from '#features/joining/waiting-list/PrecedenceNotice.tsx'
import { WaitingLine } from '#features/joining/waiting-list/WaitingLine.tsx'
import { useWaitingListsLive } from '#features/joining/waiting-list/waiting-list.live.ts'
import { forgetRequest, readRequest } from '#features/money/cards/request-before-card.ts'
import { AskQuestion } from '#features/people/chat/AskQuestion.tsx'
import type { ChatPartner } from '#features/people/chat/chat.queries.ts'
import { useOfferLive } from '#features/plans/browse/browse.live.ts'
import { JoinButton } from '#features/plans/browse/JoinButton.tsx'
import { type JoinState, joinState, mayWait } from '#features/plans/browse/join-state.ts'
import type { Offer, OfferPage } from '#features/plans/browse/market.queries.ts'
import { SharePlan } from '#features/plans/shared-plans/SharePlan.tsx'
import { lazyPart } from '#lib/online.ts'
import type { User } from '#lib/session.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { Asking } from '../-Asking.tsx'
import { useStanding } from '../-use-standing.ts'

const PersonChat = lazyPart(async () => (await import('../-PersonChat.tsx')).PersonChat)

interface AskForPlaceProps {
  offer: OfferPage
  user: User
  /** Opens the dialog at once, for a person who signed in to request a place. */
  opensItself: boolean
}

/** A signed-in person's actions on a plan's public page. */
export default function AskForPlace({ offer, user, opensItself }: AskForPlaceProps) {
  const standing = useStanding(user.id)
  useOfferLive(offer.id)
  useWaitingListsLive(user.id)
  const here = `/plans/${encodeURIComponent(offer.id)}`
  const [asked] = useState(() => (readRequest()?.path === here ? readRequest() : null))
  useEffect(forgetRequest, [])
  const own = standing && joinState(offer, standing) === 'owner'
  return (
    <Asking userId={user.id} interrupted={asked && { plan: offer, draft: asked }}>
      {(ask) => (
        <>
          {standing && opensItself && !asked && joinState(offer, standing) === 'open' && (
            <Once plan={offer} onShown={ask} />
          )}
          <PrecedenceNotice planId={offer.id} userId={user.id} />
          <JoinButton plan={offer} standing={standing} onRequest={() => ask(offer)} />
          {own && (
            <>
              <Text size="sm" c="dimmed">
                {t`This is how others see your plan.`}
              </Text>
              <SharePlan planId={offer.id} title={`${offer.provider} ${offer.name}`} />
            </>
          )}
          {standing && mayWait(offer, standing) && (
            <WaitingLine plan={offer} userId={user.id} full={isFull(offer)} />
          )}
          {standing && mayAsk.has(joinState(offer, standing)) && <Question offer={offer} userId={user.id} />}
        </>
      )}
    </Asking>
  )
}

/** The states in which a person may ask a question: they could request a place, or have done so. */
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

function Once({ plan, onShown }: { plan: Offer; onShown: (plan: Offer) => void }) {
  const show = useEffectEvent(() => onShown(plan))
  useEffect(() => show(), [])
  return null
}
