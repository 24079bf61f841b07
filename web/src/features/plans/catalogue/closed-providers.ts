import { t } from '@lingui/core/macro'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { useLive } from '#lib/live.ts'
import { query } from '#lib/query.ts'
import { read, supabase } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'

const key = ['closed-providers'] as const

/** The reasons why providers are disabled, by provider name. */
export const closedProvidersQuery = query({
  key,
  load: async (signal): Promise<Readonly<Record<string, string>>> => {
    const rows = unwrap(await read('closed_providers').select('provider, reason').abortSignal(signal))
    return Object.fromEntries(rows.map(({ provider, reason }) => [provider, reason]))
  },
})

export const useClosedProvidersLive = () =>
  useLive('closed-providers', [{ table: 'closed_providers' }], { keys: [key] })

/** Disables a provider with a reason, or enables it if `reason` is null. */
export const useSwitchProvider = (onDone: () => void) =>
  useChange({
    run: async ({ provider, reason }: { provider: string; reason: string | null }) => {
      const table = supabase().from('closed_providers')
      const change =
        reason === null ? table.delete().eq('provider', provider) : table.insert({ provider, reason })
      unwrap(await change.select('provider'))
    },
    stale: [key],
    done: onDone,
    failed: (problem, { provider }) =>
      explain(problem, ({ message }) => [t`${provider} was not changed: ${message}`]),
  })
