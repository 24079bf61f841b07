import { AccountLogin } from '#features/plans/AccountLogin.tsx'
import { AccountLoginForm } from '#features/plans/AccountLoginForm.tsx'
import { AccessCard } from '#features/vault/AccessCard.tsx'

export interface AccessProps {
  planId: string
  userId: string
  isOwner: boolean
  /** The place is not paid. */
  closed?: boolean
}

/** How one gets into a plan: its login name, which the owner sets, and its vault. */
export default function AccessParts(props: AccessProps) {
  const { planId, isOwner } = props
  const login = isOwner ? <AccountLoginForm planId={planId} /> : <AccountLogin planId={planId} />
  return <AccessCard {...props} login={login} />
}
