import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RULE_NAMES, RULES, type Rule, useSetProviderRule } from './provider-rules.ts'

interface ProviderRuleSelectProps {
  provider: string
  /** The rule that staff have set for this provider; undefined if it follows from the settings. */
  set: { rule: Rule; reason: string } | undefined
  /** The rule in force. */
  inForce: Rule
}

/** Sets what becomes of a provider's plans. A rule needs a reason, which everybody can read. */
export function ProviderRuleSelect({ provider, set, inForce }: ProviderRuleSelectProps) {
  const [asking, setAsking] = useState<Rule | null>(null)
  const change = useSetProviderRule(() => setAsking(null))
  const choose = (chosen: string) => {
    const rule = RULES.find((one) => one === chosen)
    if (rule) setAsking(rule)
    else change.mutate({ provider, rule: null, reason: '' })
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
        <ReasonDialog
          title={t`${RULE_NAMES[asking]}: ${provider}`}
          label={t`Reason (everyone can see it)`}
          confirmLabel={t`Set the rule`}
          busy={change.isPending}
          onConfirm={(reason) => change.mutate({ provider, rule: asking, reason: reason.slice(0, 300) })}
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
        </ReasonDialog>
      )}
    </>
  )
}
