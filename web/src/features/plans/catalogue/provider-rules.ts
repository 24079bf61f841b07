import { t } from '@lingui/core/macro'
import type { Reasons } from '#features/account/decisions/decisions.ts'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { useLive } from '#lib/live.ts'
import { query } from '#lib/query.ts'
import { read, rpc, supabase } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'

/** What becomes of a provider's plans: listed in the market, private only, or off for anybody new. */
export const RULES = ['listed', 'private', 'off'] as const
export type Rule = (typeof RULES)[number]

export const RULE_NAMES: Record<Rule, string> = {
  listed: t`Listed`,
  private: t`Private only`,
  off: t`Off`,
}

/** Said at the switch of a plan that can only be private. */
export const privateOnlyText = t`Plans of this provider can only be shared with people you invite or send the link.`

const key = ['provider-rules'] as const

/** The rules of providers whose plans may not be listed, by provider name. `reason` is null if it follows from the settings. */
export const restrictedProvidersQuery = query({
  key: [...key, 'restricted'],
  load: async (signal): Promise<Readonly<Record<string, { rule: Rule; reason: string | null }>>> => {
    const rows = await rpc('restricted_providers', {}, signal)
    return Object.fromEntries(
      rows.map(({ provider, rule, reason }) => [provider, { rule: rule as Rule, reason }]),
    )
  },
})

/** The rules that staff have set for single providers, by provider name. */
export const providerRulesQuery = query({
  key: [...key, 'set'],
  load: async (signal): Promise<Readonly<Record<string, { rule: Rule; reason: string }>>> => {
    const rows = unwrap(await read('provider_rules').select('provider, rule, reason').abortSignal(signal))
    return Object.fromEntries(rows.map(({ provider, rule, reason }) => [provider, { rule, reason }]))
  },
})

export const useProviderRulesLive = () =>
  useLive('provider-rules', [{ table: 'provider_rules' }], { keys: [key] })

/** Sets the rule of a provider with its reasons, or removes it if `rule` is null. */
export const useSetProviderRule = (onDone: () => void) =>
  useChange({
    run: async ({ provider, rule, reasons }: { provider: string; rule: Rule | null; reasons?: Reasons }) => {
      const table = supabase().from('provider_rules')
      const change =
        rule === null || !reasons
          ? table.delete().eq('provider', provider)
          : table.upsert({
              provider,
              rule,
              reason: reasons.facts,
              ground: reasons.ground,
              clause: reasons.clause,
            })
      unwrap(await change.select('provider'))
    },
    stale: [key],
    done: onDone,
    failed: (problem, { provider }) =>
      explain(problem, ({ message }) => [t`${provider} was not changed: ${message}`]),
  })
