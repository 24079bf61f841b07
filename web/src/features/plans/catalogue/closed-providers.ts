import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { useLive } from '#lib/live.ts'
import { query } from '#lib/query.ts'
import { read, supabase } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'

const key = ['closed-providers'] as const

/** Providers the operator has switched off, with why. */
export const closedProvidersQuery = query({
  key,
  load: async (signal): Promise<Readonly<Record<string, string>>> => {
    const rows = unwrap(await read('closed_providers').select('provider, reason').abortSignal(signal))
    return Object.fromEntries(rows.map(({ provider, reason }) => [provider, reason]))
  },
})

export const useClosedProvidersLive = () =>
  useLive('closed-providers', [{ table: 'closed_providers' }], { keys: [key] })

/** Switches a provider off, for a reason, or on again without one. */
export function useSwitchProvider(onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ provider, reason }: { provider: string; reason: string | null }) => {
      const table = supabase().from('closed_providers')
      unwrap(
        await (reason === null
          ? table.delete().eq('provider', provider).select('provider')
          : table.insert({ provider, reason }).select('provider')),
      )
    },
    onSuccess: onDone,
    onError: (problem, { provider }) =>
      explain(problem, ({ message }) => [`Could not switch ${provider}: ${message}`]),
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  })
}
