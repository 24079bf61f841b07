import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { Problem } from '#domain/problems.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { NoteField } from './NoteField.tsx'
import type { ProblemStep } from './problems.messages.ts'
import { useProblemStep } from './problems.mutations.ts'

/** What a member answers to "Fixed". */
export function MemberAnswer({ problem }: { problem: Problem }) {
  const [note, setNote] = useState('')
  const answer = useProblemStep(problem)
  const busy = (step: ProblemStep) => answer.isPending && answer.variables.step === step
  const say = (step: ProblemStep) => () => answer.mutate({ step, note })
  return (
    <Stack gap="md">
      <NoteField label={`To ${problem.ownerName} (optional)`} value={note} onChange={setNote} />
      <Group gap="sm">
        <Button loading={busy('works')} disabled={busy('still')} onClick={say('works')}>
          Yes, it works
        </Button>
        <Button variant="default" loading={busy('still')} disabled={busy('works')} onClick={say('still')}>
          No
        </Button>
        <TakeBack problem={problem} variant="subtle" />
      </Group>
    </Stack>
  )
}

interface TakeBackProps {
  problem: Problem
  /** Subtle beside an answer, which comes first. */
  variant: 'default' | 'subtle'
}

/** The way back from a report, as long as it is open. */
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
