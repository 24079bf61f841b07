import { t } from '@lingui/core/macro'
import { Button, Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { explain } from '#ui/toasts.ts'

/** Asks a person to confirm their age before their first plan or their first place that is paid through the site. */
export function AgeDialog({ answer }: { answer: (given: boolean) => void }) {
  const confirm = useChange<void, unknown>({
    run: () => rpc('confirm_age', {}),
    done: () => answer(true),
    failed: (problem) => explain(problem, t`This was not saved. Please try again.`),
  })
  return (
    <Dialog
      opened
      onClose={() => answer(false)}
      title={t`Are you ${LIMITS.leastAge} or older?`}
      // Puts this dialog above the one that is already open.
      zIndex={300}
      closeOnClickOutside={false}
    >
      <Stack gap="md">
        <Text c="dimmed">
          {t`Sharing and paying here are contracts. We store the time of your answer, not your date of birth.`}
        </Text>
        <Button fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
          {t`I’m at least ${LIMITS.leastAge} years old`}
        </Button>
      </Stack>
    </Dialog>
  )
}
