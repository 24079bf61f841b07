import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { useSwitchProvider } from './closed-providers.ts'

interface ProviderSwitchProps {
  provider: string
  /** The reason the provider is disabled; undefined while it is enabled. */
  closedBecause: string | undefined
}

/** Enables or disables a provider. Disabling asks for a reason, which everybody can read. */
export function ProviderSwitch({ provider, closedBecause }: ProviderSwitchProps) {
  const [asking, setAsking] = useState(false)
  const change = useSwitchProvider(() => setAsking(false))
  const offered = closedBecause === undefined
  return (
    <>
      <Switch
        aria-label={t`Offer ${provider}`}
        description={closedBecause}
        checked={offered}
        disabled={change.isPending}
        onChange={() => (offered ? setAsking(true) : change.mutate({ provider, reason: null }))}
      />
      {asking && (
        <ReasonDialog
          title={t`Turn ${provider} off?`}
          label={t`Reason (everyone can see it)`}
          confirmLabel={t`Turn off`}
          busy={change.isPending}
          onConfirm={(reason) => change.mutate({ provider, reason: reason.slice(0, 300) })}
          onClose={() => setAsking(false)}
        >
          <Trans>
            No one can share a new plan of {provider}, invite or ask for a place until you turn it on again.
            Members keep their places.
          </Trans>
        </ReasonDialog>
      )}
    </>
  )
}
