import { t } from '@lingui/core/macro'
import { Button, type ButtonProps, Divider, SimpleGrid, Stack } from '@mantine/core'
import {
  IconBrandFacebookFilled,
  IconBrandGoogleFilled,
  IconBrandTwitterFilled,
  IconLogin2,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { config } from '#lib/config.ts'
import { saySocialFailed } from './auth.messages.ts'
import { type SocialProvider, signInWith, socialName, socialProvidersQuery } from './social.ts'

const icons = {
  google: IconBrandGoogleFilled,
  facebook: IconBrandFacebookFilled,
  twitter: IconBrandTwitterFilled,
  x: IconBrandTwitterFilled,
}

/**
 * Buttons to sign in with the providers of this deployment, if any. `wanted` is the page to return to, not validated.
 * On a site without sign-in by e-mail, each button is labelled "Continue with" its provider.
 */
export function SocialSignIn({ wanted }: { wanted?: string | undefined }) {
  const { pathname } = useLocation()
  const { data: providers = [] } = useQuery(socialProvidersQuery)
  const { signInWith: own, signInByMail } = config()
  const [connecting, setConnecting] = useState<SocialProvider | null>(null)

  useEffect(() => {
    // Going back from the provider may restore this page from the browser's cache, with the button still busy.
    const onReturn = () => setConnecting(null)
    window.addEventListener('pageshow', onReturn)
    return () => window.removeEventListener('pageshow', onReturn)
  }, [])

  const connect = async (provider: SocialProvider) => {
    setConnecting(provider)
    try {
      await signInWith(provider, { pathname, wanted })
    } catch (problem) {
      setConnecting(null)
      saySocialFailed(provider, problem)
    }
  }

  if (providers.length + own.length === 0) return null
  const button = (provider: SocialProvider, Icon: typeof IconLogin2, look: ButtonProps) => {
    const name = socialName(provider)
    const busy = connecting === provider
    const label = signInByMail ? name : t`Continue with ${name}`
    return (
      <Button
        key={provider}
        leftSection={busy ? null : <Icon size={18} aria-hidden />}
        disabled={busy}
        onClick={() => void connect(provider)}
        {...look}
      >
        {busy ? t`Connecting...` : label}
      </Button>
    )
  }
  return (
    <section aria-label={t`Or continue with`}>
      {signInByMail && <Divider label={t`Or continue with`} labelPosition="center" my="lg" />}
      <Stack gap="xs">
        {own.map(({ id }) =>
          button(id, IconLogin2, signInByMail ? { variant: 'default', fz: 'sm' } : { variant: 'primary' }),
        )}
        {providers.length > 0 && (
          <SimpleGrid cols={{ base: 1, xs: providers.length }} spacing="xs">
            {providers.map((provider) =>
              button(provider, icons[provider], { variant: 'default', px: 4, fz: 'sm' }),
            )}
          </SimpleGrid>
        )}
      </Stack>
    </section>
  )
}
