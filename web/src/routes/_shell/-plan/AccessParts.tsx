import { AccountLogin } from '#features/plans/shared-plans/AccountLogin.tsx'
import { AccountLoginForm } from '#features/plans/shared-plans/AccountLoginForm.tsx'
import { AccessCard } from '#features/trust/access/AccessCard.tsx'

export interface AccessProps {
  planId: string
  userId: string
  isOwner: boolean
  /** The place is not paid. */
  closed?: boolean
}

/** How to get into a plan: its login name, which the owner sets, and its vault. */
export default function AccessParts(props: AccessProps) {
  const { planId, isOwner } = props
  const login = isOwner ? <AccountLoginForm planId={planId} /> : <AccountLogin planId={planId} />
  return <AccessCard {...props} login={login} />
}
