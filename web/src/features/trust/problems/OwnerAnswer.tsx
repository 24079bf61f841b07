import { Text } from '@mantine/core'
import type { Problem } from '#domain/problems.ts'
import { AnswerForm } from './AnswerForm.tsx'

/** An owner's answer to a problem. */
export function OwnerAnswer({ problem }: { problem: Problem }) {
  return (
    <>
      <AnswerForm
        problem={problem}
        to={problem.memberName}
        choices={[
          ['fixed', 'Fixed'],
          ['contest', 'It works'],
        ]}
      />
      <Text size="sm" c="dimmed">
        “Fixed”: something was wrong, and you have put it right. “It works”: nothing is wrong as far as you
        can see; our team then looks at both sides and decides.
      </Text>
    </>
  )
}
