import { t } from '@lingui/core/macro'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LOGIN_FAILED } from './vault.messages.ts'
import { accountLoginQuery } from './vault.queries.ts'

/** The login name of the shared account at the provider; renders nothing if access is given without one. */
export function AccountLogin({ planId, hasEntry }: { planId: string; hasEntry: boolean }) {
  const { data: login, isError } = useQuery(accountLoginQuery(planId))
  if (login === null && hasEntry) return null
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {t`Account email / username`}
      </Text>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {isError ? LOGIN_FAILED : login === undefined ? '…' : (login ?? t`Not shared yet`)}
      </Text>
    </Stack>
  )
}
