import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ReasonsDialog } from '#features/account/decisions/ReasonsDialog.tsx'
import { RULE_NAMES, RULES, type Rule, useSetProviderRule } from './provider-rules.ts'

interface ProviderRuleSelectProps {
  provider: string
  /** The rule that staff have set for this provider; undefined if it follows from the settings. */
  set: { rule: Rule; reason: string } | undefined
  /** The rule in force. */
  inForce: Rule
}

/** Sets what becomes of a provider's plans. A rule needs reasons; its facts are read by everybody. */
export function ProviderRuleSelect({ provider, set, inForce }: ProviderRuleSelectProps) {
  const [asking, setAsking] = useState<Rule | null>(null)
  const change = useSetProviderRule(() => setAsking(null))
  const choose = (chosen: string) => {
    const rule = RULES.find((one) => one === chosen)
    if (rule) setAsking(rule)
    else change.mutate({ provider, rule: null })
  }
  return (
    <>
      <NativeSelect
        aria-label={t`Rule for ${provider}`}
        description={set?.reason}
        inputWrapperOrder={['input', 'description']}
        // On a phone the provider's name stands beside it.
        w={{ base: 170, sm: 'auto' }}
        value={set?.rule ?? ''}
        disabled={change.isPending}
        data={[
          { value: '', label: set ? t`Default` : t`Default: ${RULE_NAMES[inForce]}` },
          ...RULES.map((rule) => ({ value: rule, label: RULE_NAMES[rule] })),
        ]}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {asking && (
        <ReasonsDialog
          title={t`${RULE_NAMES[asking]}: ${provider}`}
          measure={asking === 'off' ? 'provider-closed' : 'plan-made-private'}
          subject={t`${provider} …`}
          inOwnWords
          confirmLabel={t`Set the rule`}
          busy={change.isPending}
          onConfirm={(reasons) => change.mutate({ provider, rule: asking, reasons })}
          onClose={() => setAsking(null)}
        >
          {asking === 'off' ? (
            <Trans>
              No one can share a new plan of {provider}, invite or ask for a place until you change this
              again. Members keep their places.
            </Trans>
          ) : asking === 'private' ? (
            <Trans>
              Plans of {provider} leave the list now, and stay private if you change this again. Open requests
              and waiting lists end. Members keep their places, and their owners can invite people.
            </Trans>
          ) : (
            <Trans>Owners may list plans of {provider}, whatever its terms say.</Trans>
          )}
        </ReasonsDialog>
      )}
    </>
  )
}
