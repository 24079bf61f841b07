import { useNavigate } from '@tanstack/react-router'
import { forgetTokens } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { saySignInAgain } from './auth.messages.ts'
import { developmentMarker } from './development-marker.ts'
import type { MailedLink } from './mailed-link.ts'
import { forgetTarget } from './post-login.ts'

/**
 * Returns a function to call if a link or provider has brought no session. The function clears the sign-in state and
 * opens the sign-in page, which can mail an expired link again.
 */
export function useGiveUp(): (over?: Partial<MailedLink>) => Promise<void> {
  const navigate = useNavigate()
  return async (over) => {
    saySignInAgain()
    forgetTarget()
    developmentMarker.clear()
    await supabase().auth.signOut({ scope: 'local' })
    // The client keeps its tokens if it could not revoke them on the server, so they are deleted here.
    forgetTokens()
    const { email = '', type = '', target = '/' } = over ?? {}
    const linkOver = over && { email, isRecovery: type === 'recovery', target }
    await navigate({ to: '/sign-in', replace: true, ...(linkOver && { state: { linkOver } }) })
  }
}
