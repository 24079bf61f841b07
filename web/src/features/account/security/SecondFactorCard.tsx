import { Button, Group, Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { RecoveryCodes, SetUpDialog } from './SetUpDialog.tsx'
import { useRemoveApp, useRenewCodes } from './second-factor.mutations.ts'
import { type SecondFactor, secondFactorQuery } from './second-factor.queries.ts'

/** Whether a password alone signs this person in. */
export function SecondFactorCard() {
  const { data: factor } = useQuery(secondFactorQuery)
  const [settingUp, setSettingUp] = useState(false)
  return (
    <SectionCard titleId="two-step-title" title="Two-step sign-in" align="flex-start">
      {factor ? (
        <SwitchedOn factor={factor} />
      ) : (
        <>
          <Text c="dimmed">
            Signing in then takes your password and a code of an app on your phone. Whoever learns your
            password alone stays out.
          </Text>
          <Button
            variant="default"
            leftSection={<IconShieldLock size={18} />}
            disabled={factor === undefined}
            onClick={() => setSettingUp(true)}
          >
            Set up
          </Button>
        </>
      )}
      <SetUpDialog opened={settingUp} onClose={() => setSettingUp(false)} />
    </SectionCard>
  )
}

function SwitchedOn({ factor }: { factor: SecondFactor }) {
  const [asking, setAsking] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const remove = useRemoveApp(() => setAsking(false))
  const renew = useRenewCodes(setCodes)
  const { codesLeft } = factor
  return (
    <>
      <Text c="dimmed">
        On, with an authenticator app.
        {codesLeft !== null && ` Recovery codes left: ${codesLeft} of 10.`}
      </Text>
      <Group gap="sm">
        <Button variant="default" onClick={() => renew.mutate(factor)}>
          New recovery codes
        </Button>
        <Button color="beet" variant="outline" onClick={() => setAsking(true)}>
          Switch off
        </Button>
      </Group>
      <Dialog
        opened={codes !== null}
        onClose={() => setCodes(null)}
        title="Your recovery codes"
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
      </Dialog>
      <ConfirmDialog
        opened={asking}
        title="Switch off two-step sign-in?"
        confirmLabel="Switch off"
        cancelLabel="Keep it on"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(factor)}
        onClose={() => setAsking(false)}
      >
        Your password alone will sign you in again.
      </ConfirmDialog>
    </>
  )
}
