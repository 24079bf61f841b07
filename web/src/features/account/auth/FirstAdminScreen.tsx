import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isRetryable, toAppError } from '#lib/errors.ts'
import { callFunction } from '#lib/functions.ts'
import { query } from '#lib/query.ts'
import { useSession } from '#lib/session.ts'
import { rpc } from '#lib/supabase.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { AccountForm } from './AccountForm.tsx'
import { AuthPanel } from './AuthPanel.tsx'
import { saySignUpFailed } from './auth.messages.ts'
import { signIn } from './auth.mutations.ts'

const FIRST_ADMIN = 'first-admin'

/** Checks that the URL still works; fails if it does not. The data is null, since a query may not return undefined. */
const addressQuery = (secret: string) =>
  query({
    key: [FIRST_ADMIN, secret],
    load: async (signal) => (await rpc('require_first_admin_address', { p_secret: secret }, signal)) ?? null,
  })

/** Makes the visitor the first super-admin of a new site, by the one-time URL that its server printed. */
export function FirstAdminScreen({ secret }: { secret: string }) {
  const address = useQuery({ ...addressQuery(secret), enabled: secret !== '' })
  if (secret === '')
    return (
      <EmptyState
        order={1}
        mood="calm"
        title={t`Set up this site`}
        action={<LinkButton to="/">{t`Return to Home`}</LinkButton>}
      >
        {t`Open the address that the server printed when it started. It is also in the file notices.txt of its data folder.`}
      </EmptyState>
    )
  return (
    <Loaded
      of={address}
      failed={(problem, retry, isRetrying) => (
        <EmptyState
          order={1}
          title={t`Set up this site`}
          action={
            isRetryable(problem) ? (
              <Button loading={isRetrying} onClick={retry}>{t`Try Again`}</Button>
            ) : (
              <LinkButton to="/">{t`Return to Home`}</LinkButton>
            )
          }
        >
          {toAppError(problem).message}
        </EmptyState>
      )}
    >
      {() => (
        <AuthPanel
          title={t`Set up this site`}
          subline={t`You’ll be its administrator: you approve, pay out and say who else is staff.`}
          mood="excited"
        >
          <Become secret={secret} />
        </AuthPanel>
      )}
    </Loaded>
  )
}

function Become({ secret }: { secret: string }) {
  const session = useSession()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [working, setWorking] = useState(false)
  const become = async (account: object) => {
    await callFunction('first-admin', { secret, ...account })
  }
  const enter = async () => {
    // The address has been used up, so asking about it again would be refused.
    await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== FIRST_ADMIN })
    await navigate({ to: '/admin/set-up', replace: true })
  }
  if (session.status === 'loading') return null
  if (session.status === 'signed-out')
    return (
      <AccountForm
        action={t`Become administrator`}
        working={t`Creating account...`}
        create={async (account) => {
          await become(account)
          await signIn(account.email, account.password)
          await enter()
        }}
      />
    )
  const { email } = session.user
  return (
    <Stack gap="md">
      <Text>
        <Trans>You’re signed in as {email}.</Trans>
      </Text>
      <Button
        variant="primary"
        loading={working}
        onClick={async () => {
          setWorking(true)
          try {
            await become({})
            await enter()
          } catch (problem) {
            saySignUpFailed(problem)
            setWorking(false)
          }
        }}
      >
        {t`Become administrator`}
      </Button>
    </Stack>
  )
}
