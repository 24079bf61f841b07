import { useNavigate } from '@tanstack/react-router'
import { saySignOutFailed } from '#features/account/auth/auth.messages.ts'
import { signOut } from '#features/account/auth/auth.mutations.ts'

/** Leaves for the home page first, so that no guard mistakes leaving for a wish to come back. */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await navigate({ to: '/' })
    await signOut().catch(saySignOutFailed)
  }
}
