import { t } from '@lingui/core/macro'
import { Button, Divider, SimpleGrid } from '@mantine/core'
import { IconBrandFacebookFilled, IconBrandGoogleFilled, IconBrandTwitterFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { saySocialFailed } from './auth.messages.ts'
import { type SocialProvider, signInWith, socialNames, socialProvidersQuery } from './social.ts'

const icons = {
  google: IconBrandGoogleFilled,
  facebook: IconBrandFacebookFilled,
  twitter: IconBrandTwitterFilled,
  x: IconBrandTwitterFilled,
}

/** Sign-in with an account from elsewhere, where this deployment offers it. `wanted` is the page's redirect parameter. */
export function SocialSignIn({ wanted }: { wanted?: string | undefined }) {
  const { pathname } = useLocation()
  const { data: providers = [] } = useQuery(socialProvidersQuery)
  const [connecting, setConnecting] = useState<SocialProvider | null>(null)

  useEffect(() => {
    // Going back from the provider may restore the page as it was left.
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

  if (providers.length === 0) return null
  return (
    <section aria-label={t`Or continue with`}>
      <Divider label={t`Or continue with`} labelPosition="center" my="lg" />
      <SimpleGrid cols={{ base: 1, xs: providers.length }} spacing="xs">
        {providers.map((provider) => {
          const Icon = icons[provider]
          const busy = connecting === provider
          return (
            <Button
              key={provider}
              variant="default"
              px={4}
              fz="sm"
              leftSection={busy ? null : <Icon size={18} aria-hidden />}
              disabled={busy}
              onClick={() => void connect(provider)}
            >
              {busy ? t`Connecting...` : socialNames[provider]}
            </Button>
          )
        })}
      </SimpleGrid>
    </section>
  )
}
