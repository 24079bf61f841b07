import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Plan } from '#domain/plan.ts'
import { ChatDialog, type ChatPartner } from '#features/chat/ChatDialog.tsx'
import { useUnreadLive } from '#features/chat/chat.live.ts'
import { usePlanLive } from '#features/plans/plans.live.ts'
import { planLoadText, planTexts, planToasts } from '#features/plans/plans.messages.ts'
import { NOT_FOUND, planPageQuery } from '#features/plans/plans.queries.ts'
import { toAppError } from '#lib/errors.ts'
import { type User, useSession } from '#lib/session.ts'
import { MemberView } from './MemberView.tsx'
import { OwnerView } from './OwnerView.tsx'
import { LoginNotice, PlanError, PlanLoading } from './PlanStates.tsx'

/** One plan, as its owner or as a member sees it; the relation decides, not the address (PLAN-01). */
export function PlanScreen({ planId }: { planId: string }) {
  const session = useSession()
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      {session.status === 'loading' && <PlanLoading planId={planId} />}
      {session.status === 'signed-out' && <LoginNotice />}
      {session.status === 'signed-in' && <SignedIn planId={planId} user={session.user} />}
    </Container>
  )
}

export interface PlanViewProps {
  plan: Plan
  user: User
  onChat: (partner: ChatPartner) => void
}

function SignedIn({ planId, user }: { planId: string; user: User }) {
  const { data: page, error, refetch } = useQuery(planPageQuery(planId, user.id))
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  usePlanLive(planId)
  useUnreadLive(user.id)
  useEffect(() => {
    if (error) planToasts.loadFailed(error)
  }, [error])

  const gone = error !== null && toAppError(error).code === NOT_FOUND
  if (!page || gone) {
    if (error) return <PlanError message={planLoadText(error)} onRetry={() => void refetch()} />
    return <PlanLoading planId={planId} />
  }
  const { plan, relation } = page
  // The chat stands beside the views, so that it can still say why it was archived when its row or page is gone.
  return (
    <>
      {relation === 'owner' && <OwnerView plan={plan} user={user} onChat={setPartner} />}
      {relation === 'member' && <MemberView plan={plan} user={user} onChat={setPartner} />}
      {relation === 'none' && <PlanError message={planTexts.noAccess} />}
      <ChatDialog
        partner={partner}
        userId={user.id}
        planName={`${plan.provider} ${plan.name}`}
        onClose={() => setPartner(null)}
      />
    </>
  )
}
