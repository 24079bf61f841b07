import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import type { Problem } from '#domain/problems.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { DecideButtons } from './DecideButtons.tsx'
import { NoteField } from './NoteField.tsx'
import { standingOf, type Viewer } from './problem-words.ts'
import type { ProblemStep } from './problems.messages.ts'
import { useProblemStep } from './problems.mutations.ts'

/** Whose turn it is, until when, what happens without an answer, and what the reader can answer now. */
export function ProblemTurn({ problem, viewer }: { problem: Problem; viewer: Viewer }) {
  const { title, text } = standingOf(problem, viewer)
  const { turn, dueAt, decision } = problem
  return (
    <SectionCard titleId="turn-title" title={title} size="h3" aside={dueAt && <TimeLeft until={dueAt} />}>
      <Text>{text}</Text>
      {decision && (
        <div>
          <Text size="sm" c="dimmed">
            Why, in the words of our team
          </Text>
          <Text dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {decision}
          </Text>
        </div>
      )}
      {viewer === 'owner' && turn === 'owner' && <OwnerAnswer problem={problem} />}
      {viewer === 'member' && turn === 'member' && <MemberAnswer problem={problem} />}
      {viewer === 'member' && (turn === 'owner' || turn === 'staff') && (
        <TakeBack problem={problem} variant="default" />
      )}
      {viewer === 'staff' && turn === 'staff' && <DecideButtons problem={problem} />}
    </SectionCard>
  )
}

/** An owner's answer to a problem. */
function OwnerAnswer({ problem }: { problem: Problem }) {
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

/** A member's answer to "Fixed". */
function MemberAnswer({ problem }: { problem: Problem }) {
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
function TakeBack({ problem, variant }: TakeBackProps) {
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
function AnswerForm({ problem, to, choices, children }: AnswerFormProps) {
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
