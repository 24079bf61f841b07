import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { AuthenticatorDialog, RecoveryCodes } from './AuthenticatorDialog.tsx'
import { useRemoveApp, useRenewCodes } from './second-factor.mutations.ts'
import { type SecondFactor, secondFactorQuery } from './second-factor.queries.ts'

/** Shows the second factor, with buttons to set it up or remove it. */
export function SecondFactorCard() {
  const { data: factor } = useQuery(secondFactorQuery)
  const [settingUp, setSettingUp] = useState(false)
  return (
    <SectionCard
      titleId="two-step-title"
      title={t`Two-step sign-in`}
      gap="xs"
      aside={
        !factor && (
          <Button
            variant="default"
            leftSection={<IconShieldLock size={18} />}
            disabled={factor === undefined}
            onClick={() => setSettingUp(true)}
          >
            {t`Set up two-step sign-in`}
          </Button>
        )
      }
    >
      {factor ? (
        <SwitchedOn factor={factor} />
      ) : (
        <Text c="dimmed">{t`Protect your account with a code from an app on your phone.`}</Text>
      )}
      <AuthenticatorDialog opened={settingUp} onClose={() => setSettingUp(false)} />
    </SectionCard>
  )
}

function SwitchedOn({ factor }: { factor: SecondFactor }) {
  const [asking, setAsking] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const remove = useRemoveApp(() => setAsking(false))
  const renew = useRenewCodes(setCodes)
  const { codes: made } = factor
  return (
    <>
      <Text c="dimmed">
        {t`On, with an authenticator app.`} {made && t`${made.left} of ${made.total} recovery codes left.`}
      </Text>
      <Group gap="sm">
        <Button variant="default" onClick={() => renew.mutate(factor)}>
          {t`Get new recovery codes`}
        </Button>
        <Button color="beet" variant="outline" onClick={() => setAsking(true)}>
          {t`Turn off`}
        </Button>
      </Group>
      <Dialog
        opened={codes !== null}
        onClose={() => setCodes(null)}
        title={t`Your recovery codes`}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
      </Dialog>
      <ConfirmDialog
        opened={asking}
        title={t`Turn off two-step sign-in?`}
        confirmLabel={t`Turn off`}
        cancelLabel={t`Keep it on`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(factor)}
        onClose={() => setAsking(false)}
      >
        {t`You’ll sign in with just your password.`}
      </ConfirmDialog>
    </>
  )
}
