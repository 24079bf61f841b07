import { Stack, Switch, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useSetMailPreference } from './mail-preferences.mutations.ts'
import { mailPreferenceQuery } from './mail-preferences.queries.ts'

/** Whether Potluck writes to somebody who is away. */
export function MailCard() {
  const { data: wanted } = useQuery(mailPreferenceQuery)
  const change = useSetMailPreference()
  return (
    <SurfaceCard component="section" aria-labelledby="mail-title">
      <Stack gap="md">
        <Title order={2} id="mail-title">
          E-mails
        </Title>
        <Switch
          label="E-mail me when I am away"
          description="New join requests, requests about to expire, and answers to yours, when you have not read them here within ten minutes."
          checked={wanted ?? true}
          disabled={wanted === undefined}
          onChange={({ currentTarget: { checked } }) => change.mutate(checked)}
        />
      </Stack>
    </SurfaceCard>
  )
}
