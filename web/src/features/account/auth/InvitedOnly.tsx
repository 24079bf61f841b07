import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/** Who may create an account: everyone, or only people who were invited. Requested without a session. */
export const signUpsQuery = query({
  key: ['sign-ups'],
  load: async (signal) => z.enum(['everyone', 'invited']).parse(await rpc('sign_ups', {}, signal)),
})

/** Tells newcomers that they need an invitation; renders nothing on a site that is open to everyone. */
export function InvitedOnly() {
  const { data: signUps } = useQuery(signUpsQuery)
  if (signUps !== 'invited') return null
  return (
    <Text size="sm" fw={600}>
      {t`New here? This site is only for invited people. Use the address that your invitation was sent to.`}
    </Text>
  )
}
