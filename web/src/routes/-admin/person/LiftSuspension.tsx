import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { explain } from '#ui/toasts.ts'

/** The button with which admins lift a person's suspension. */
export function LiftSuspension({ personId, name }: { personId: string; name: string }) {
  const [asking, { open, close }] = useDisclosure()
  const lift = useChange({
    run: () => rpc('lift_suspension', { p_user_id: personId }),
    stale: [['staff-person', personId]],
    done: close,
    failed: (problem) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
  })
  return (
    <>
      <Button size="sm" variant="default" onClick={open} style={{ alignSelf: 'flex-start' }}>
        {t`Lift the suspension`}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t`Lift the suspension of ${name}?`}
        confirmLabel={t`Lift the suspension`}
        cancelLabel={t`Cancel`}
        color="clay"
        busy={lift.isPending}
        onConfirm={() => lift.mutate()}
        onClose={close}
      >
        {t`${name} can sign in again, and the places that have not ended go on. We tell everyone concerned.`}
      </ConfirmDialog>
    </>
  )
}
