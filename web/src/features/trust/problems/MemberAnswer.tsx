import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Problem } from '#domain/problems.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { AnswerForm } from './AnswerForm.tsx'
import { useProblemStep } from './problems.mutations.ts'

/** A member's answer to "Fixed". */
export function MemberAnswer({ problem }: { problem: Problem }) {
  return (
    <AnswerForm
      problem={problem}
      to={problem.ownerName}
      choices={[
        ['works', 'Yes, it works'],
        ['still', 'No'],
      ]}
    >
      <TakeBack problem={problem} variant="subtle" />
    </AnswerForm>
  )
}

interface TakeBackProps {
  problem: Problem
  /** Subtle next to the answer buttons, which matter more. */
  variant: 'default' | 'subtle'
}

/** Takes back a report while it is open. */
export function TakeBack({ problem, variant }: TakeBackProps) {
  const [asking, { open, close }] = useDisclosure()
  const take = useProblemStep(problem, close)
  return (
    <>
      <Button
        variant={variant}
        {...(variant === 'subtle' && { color: 'gray' })}
        w="fit-content"
        onClick={open}
      >
        Take it back
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Take it back?"
        confirmLabel="Take it back"
        cancelLabel="Leave it open"
        color="clay"
        busy={take.isPending}
        onConfirm={() => take.mutate({ step: 'withdraw' })}
        onClose={close}
      >
        Then it counts as if nothing had been wrong: the time since your report is paid for, and nothing goes
        back.
      </ConfirmDialog>
    </>
  )
}
