import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Problem } from '#domain/problems.ts'
import { NoteField } from './NoteField.tsx'
import type { ProblemStep } from './problems.messages.ts'
import { useProblemStep } from './problems.mutations.ts'

/** What an owner answers to a problem. */
export function OwnerAnswer({ problem }: { problem: Problem }) {
  const [note, setNote] = useState('')
  const answer = useProblemStep(problem)
  const busy = (step: ProblemStep) => answer.isPending && answer.variables.step === step
  const say = (step: ProblemStep) => () => answer.mutate({ step, note })
  return (
    <Stack gap="md">
      <NoteField label={`To ${problem.memberName} (optional)`} value={note} onChange={setNote} />
      <Group gap="sm">
        <Button loading={busy('fixed')} disabled={busy('contest')} onClick={say('fixed')}>
          Fixed
        </Button>
        <Button variant="default" loading={busy('contest')} disabled={busy('fixed')} onClick={say('contest')}>
          It works
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        “Fixed”: something was wrong, and you have put it right. “It works”: nothing is wrong as far as you
        can see; our team then looks at both sides and decides.
      </Text>
    </Stack>
  )
}
