import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { explain } from '#ui/toasts.ts'

/** Confirms the address of a person whose confirmation mail does not arrive. For admins. */
export function ConfirmAddress({ personId, email }: { personId: string; email: string }) {
  const [asking, { open, close }] = useDisclosure()
  const confirm = useChange({
    run: (reason: string) => rpc('confirm_address', { p_person_id: personId, p_reason: reason }),
    stale: [['staff-person', personId]],
    done: close,
    failed: (problem) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
  })
  return (
    <>
      <Button size="sm" variant="default" onClick={open} style={{ alignSelf: 'flex-start' }}>
        {t`Confirm the address by hand`}
      </Button>
      {asking && (
        <ReasonDialog
          title={t`Confirm ${email}?`}
          label={t`How do you know that it is theirs?`}
          confirmLabel={t`Confirm the address`}
          color="clay"
          busy={confirm.isPending}
          onConfirm={(reason) => confirm.mutate(reason)}
          onClose={close}
        >
          {t`They can then sign in. Only confirm an address that you know belongs to them. The staff log keeps your answer.`}
        </ReasonDialog>
      )}
    </>
  )
}
