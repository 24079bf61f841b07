import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Stack, Text } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type SocialProvider, socialName } from '#features/account/auth/social.ts'
import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { supabase } from '#lib/supabase.ts'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'

/** The person's accounts at sign-in providers. */
const signInsQuery = query({
  key: [...SECURITY, 'sign-ins'],
  load: async () => {
    const { data, error } = await supabase().auth.getUserIdentities()
    if (error) throw error
    return data.identities.filter(({ provider }) => provider !== 'email')
  },
})

/**
 * Lists the providers through which the person can sign in, if any. A provider cannot be added here: the auth service
 * links a provider's account by the account's verified e-mail address.
 */
export function SignInsCard() {
  const { data: signIns = [] } = useQuery(signInsQuery)
  if (signIns.length === 0) return null
  return (
    <SectionCard titleId="sign-ins-title" title={t`Accounts elsewhere`} gap="xs">
      <Text c="dimmed">{t`They sign you in too, as they confirm that your email address is yours.`}</Text>
      {signIns.map(({ identity_id: id, provider, identity_data: about, created_at: added }) => {
        const name = socialName(provider as SocialProvider)
        return (
          <Group key={id} component="article" aria-label={name} gap="sm" wrap="nowrap">
            <IconLogin2 size={24} aria-hidden style={{ flex: 'none' }} />
            <Stack gap={2} miw={0}>
              <Text fw={600}>{name}</Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {about?.email}
                {added && (
                  <>
                    {' · '}
                    <Trans context="a sign-in">
                      Added <RelativeDate date={added} />.
                    </Trans>
                  </>
                )}
              </Text>
            </Stack>
          </Group>
        )
      })}
    </SectionCard>
  )
}
