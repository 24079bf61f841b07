import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Problem } from '#domain/problems.ts'
import { NoteField } from './NoteField.tsx'
import type { ProblemStep } from './problems.messages.ts'
import { useProblemStep } from './problems.mutations.ts'

interface AnswerFormProps {
  problem: Problem
  /** The name of the person who reads the note. */
  to: string
  /** The two possible answers, first the one that closes the problem. */
  choices: readonly [step: ProblemStep, label: string][]
  /** Another way out, after them. */
  children?: ReactNode
}

/** One side's answer to the other, with a note. */
export function AnswerForm({ problem, to, choices, children }: AnswerFormProps) {
  const [note, setNote] = useState('')
  const answer = useProblemStep(problem)
  return (
    <Stack gap="md">
      <NoteField label={`To ${to} (optional)`} value={note} onChange={setNote} />
      <Group gap="sm">
        {choices.map(([step, label], index) => {
          const busy = answer.isPending && answer.variables.step === step
          return (
            <Button
              key={step}
              variant={index === 0 ? 'filled' : 'default'}
              loading={busy}
              disabled={answer.isPending && !busy}
              onClick={() => answer.mutate({ step, note })}
            >
              {label}
            </Button>
          )
        })}
        {children}
      </Group>
    </Stack>
  )
}
