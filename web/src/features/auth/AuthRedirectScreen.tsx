import { Center, Loader, Stack, Text } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { askSession } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { sayAuthenticationFailed, saySignInAgain } from './auth.messages.ts'
import { developmentMarker } from './development-marker.ts'
import { forgetTarget, takeTarget } from './post-login.ts'
import { welcomeOnce } from './welcome.ts'

/** Completes a sign-in that comes back from an email link or a provider (AUTH-21..24). */
export function AuthRedirectScreen() {
  const fragment = useRouterState({ select: ({ location }) => location.hash })
  const arrivedWith = useRef(fragment)
  const navigate = useNavigate()
  const started = useRef(false)

  useEffect(() => {
    if (started.current) return
    started.current = true
    const complete = async () => {
      if (await readArrival(arrivedWith.current)) {
        welcomeOnce()
        await navigate({ href: takeTarget(), hash: '', replace: true })
        return
      }
      saySignInAgain()
      forgetTarget()
      developmentMarker.clear()
      await supabase().auth.signOut({ scope: 'local' })
      await navigate({ to: '/sign-in', replace: true })
    }
    void complete()
  }, [navigate])

  return (
    <Center mih="60vh">
      <Stack align="center" gap="md" role="status">
        <Loader type="dots" size="lg" />
        <Text>Completing authentication...</Text>
      </Stack>
    </Center>
  )
}

/** Waits for the tokens of the address to be used, then says whether anyone is signed in. */
async function readArrival(fragment: string): Promise<boolean> {
  if (/(?:^|&)(access_token|id_token|error)=/.test(fragment))
    await new Promise((done) => setTimeout(done, 1000))
  try {
    const { error } = await supabase().auth.initialize()
    if (error) sayAuthenticationFailed(error)
    return (await askSession()) !== null
  } catch (problem) {
    sayAuthenticationFailed(problem)
    return false
  }
}
