import { useNavigate } from '@tanstack/react-router'
import { saySignOutFailed } from '#features/account/auth/auth.messages.ts'
import { signOut } from '#features/account/auth/auth.mutations.ts'

/** Signs out. Navigates home first, so that no guard remembers the current page as a target. */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await navigate({ to: '/' })
    await signOut().catch(saySignOutFailed)
  }
}
