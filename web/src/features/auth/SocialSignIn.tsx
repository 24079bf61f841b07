import { Button, Divider, SimpleGrid, Text } from '@mantine/core'
import { IconBrandFacebookFilled, IconBrandGoogleFilled, IconBrandTwitterFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { saySocialFailed } from './auth.messages.ts'
import {
  enabledProvidersQuery,
  type SocialProvider,
  signInWith,
  socialNames,
  socialProviders,
} from './social.ts'

const icons = {
  google: IconBrandGoogleFilled,
  facebook: IconBrandFacebookFilled,
  twitter: IconBrandTwitterFilled,
}

/** Sign-in with an account from elsewhere (AUTH-04, AUTH-05). A provider this deployment is not set up for is disabled. */
export function SocialSignIn({ wanted }: { wanted?: string | undefined }) {
  const { data: enabled, isPending } = useQuery(enabledProvidersQuery)
  const [connecting, setConnecting] = useState<SocialProvider | null>(null)
  // When the settings could not be read the buttons stay: the provider's own answer is better than none.
  const usable = (provider: SocialProvider) => !isPending && (enabled?.includes(provider) ?? true)

  const connect = async (provider: SocialProvider) => {
    setConnecting(provider)
    try {
      await signInWith(provider, wanted)
    } catch (problem) {
      setConnecting(null)
      saySocialFailed(provider, problem)
    }
  }

  return (
    <section aria-label="Or continue with">
      <Divider label="Or continue with" labelPosition="center" my="lg" />
      <SimpleGrid cols={3} spacing="xs">
        {socialProviders.map((provider) => {
          const Icon = icons[provider]
          const busy = connecting === provider
          return (
            <Button
              key={provider}
              variant="default"
              px={4}
              fz="sm"
              leftSection={busy ? null : <Icon size={18} aria-hidden />}
              disabled={busy || !usable(provider)}
              onClick={() => void connect(provider)}
            >
              {busy ? 'Connecting...' : socialNames[provider]}
            </Button>
          )
        })}
      </SimpleGrid>
      {enabled?.length === 0 && (
        <Text size="xs" c="dimmed" ta="center" mt="xs">
          This site has not been connected to these services yet.
        </Text>
      )}
    </section>
  )
}
