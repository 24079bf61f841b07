import { useNavigate } from '@tanstack/react-router'
import { saySignOutFailed } from '#features/account/auth/auth.messages.ts'
import { signOut } from '#features/account/auth/auth.mutations.ts'

/** Goes home first, so that no guard remembers the page to return to it. */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await navigate({ to: '/' })
    await signOut().catch(saySignOutFailed)
  }
}
