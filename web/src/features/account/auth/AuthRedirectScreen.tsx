import { t } from '@lingui/core/macro'
import { Center, Loader, Stack, Text } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { askSession, forgetTokens, type User } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { sayAuthenticationFailed, sayLinkUsed, saySignInAgain } from './auth.messages.ts'
import { developmentMarker } from './development-marker.ts'
import { forgetTarget, takeTarget } from './post-login.ts'
import { welcomeOnce } from './session.messages.ts'
import { takeSocialSignIn } from './social.ts'

/** Completes a sign-in that comes back from an email link or a provider. */
export function AuthRedirectScreen() {
  const fragment = useRouterState({ select: ({ location }) => location.hash })
  const arrivedWith = useRef(fragment)
  const navigate = useNavigate()
  const started = useRef(false)

  useEffect(() => {
    if (started.current) return
    started.current = true
    const complete = async () => {
      const user = await readArrival(arrivedWith.current)
      takeSocialSignIn()
      if (user) {
        await navigate({ href: takeTarget(), hash: '', replace: true })
        return
      }
      saySignInAgain()
      forgetTarget()
      developmentMarker.clear()
      await supabase().auth.signOut({ scope: 'local' })
      // The client keeps its tokens when it could not tell the server to revoke them.
      forgetTokens()
      await navigate({ to: '/sign-in', replace: true })
    }
    void complete()
  }, [navigate])

  return (
    <Center mih="60vh">
      <Stack align="center" gap="md" role="status">
        <Loader type="dots" size="lg" />
        <Text>{t`Completing authentication...`}</Text>
      </Stack>
    </Center>
  )
}

/** Waits for the client to use the tokens in the address, then gives the person who is signed in. */
async function readArrival(fragment: string): Promise<User | null> {
  if (/(?:^|&)(access_token|id_token|error)=/.test(fragment))
    await new Promise((done) => setTimeout(done, 1000))
  try {
    const { error } = await supabase().auth.initialize()
    const user = await askSession()
    if (!error) welcomeOnce(user)
    // A link clicked twice: the first click signed in, so nothing has failed.
    else if (user) sayLinkUsed()
    else sayAuthenticationFailed(error)
    return user
  } catch (problem) {
    sayAuthenticationFailed(problem)
    return null
  }
}
