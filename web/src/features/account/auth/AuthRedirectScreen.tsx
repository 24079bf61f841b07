import { t } from '@lingui/core/macro'
import { Center, Loader, Stack, Text } from '@mantine/core'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { askSession, type User } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { sayAuthenticationFailed, sayLinkUsed } from './auth.messages.ts'
import { MailedLinkScreen } from './MailedLinkScreen.tsx'
import { LINK_OVER, readMailedLink } from './mailed-link.ts'
import { takeTarget } from './post-login.ts'
import { welcomeOnce } from './session.messages.ts'
import { takeSocialSignIn } from './social.ts'
import { useGiveUp } from './use-give-up.ts'

/** Completes a sign-in that returns from an e-mail link or a provider. */
export function AuthRedirectScreen() {
  // Reads the hash from the history, where it is still encoded as in the URL. The router's copy is decoded.
  const { history } = useRouter()
  const [fragment] = useState(() => history.location.hash.slice(1))
  const link = readMailedLink(fragment, window.location.origin)
  return link ? <MailedLinkScreen link={link} /> : <Completing fragment={fragment} />
}

/** Signs in with the tokens in the URL. */
function Completing({ fragment }: { fragment: string }) {
  const navigate = useNavigate()
  const giveUp = useGiveUp()
  const started = useRef(false)

  useEffect(() => {
    if (started.current) return
    started.current = true
    const complete = async () => {
      const user = await readArrival(fragment)
      takeSocialSignIn()
      if (user) await navigate({ href: takeTarget(), hash: '', replace: true })
      else await giveUp(fragment.includes(`error_code=${LINK_OVER}`) ? {} : undefined)
    }
    void complete()
  }, [fragment, navigate, giveUp])

  return (
    <Center mih="60vh">
      <Stack align="center" gap="md" role="status">
        <Loader type="dots" size="lg" />
        <Text>{t`Completing authentication...`}</Text>
      </Stack>
    </Center>
  )
}

/** Waits for the client to process the tokens in the URL, then returns the signed-in person, or null. */
async function readArrival(fragment: string): Promise<User | null> {
  if (/(?:^|&)(access_token|id_token|error)=/.test(fragment))
    await new Promise((done) => setTimeout(done, 1000))
  try {
    const { error } = await supabase().auth.initialize()
    const user = await askSession()
    if (!error) welcomeOnce(user)
    // The same link was clicked twice. The first click has signed the person in, so nothing has failed.
    else if (user) sayLinkUsed()
    else sayAuthenticationFailed(error)
    return user
  } catch (problem) {
    sayAuthenticationFailed(problem)
    return null
  }
}
