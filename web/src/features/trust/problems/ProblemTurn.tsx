import { t } from '@lingui/core/macro'
import { Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatMoney } from '#domain/money.ts'
import { isOpen } from '#domain/open-problem.ts'
import type { Problem } from '#domain/problems.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { DecideButtons } from './DecideButtons.tsx'
import { NoteField } from './NoteField.tsx'
import { adviceOn, summarizeProblem, type Viewer } from './problem-words.ts'
import { useProblemStep } from './problems.mutations.ts'
import { timelineQuery } from './problems.queries.ts'

interface ProblemTurnProps {
  problem: Problem
  viewer: Viewer
}

/** The side to answer, the deadline, the consequence of silence, and the reader's possible answers. */
export function ProblemTurn({ problem, viewer }: ProblemTurnProps) {
  const { title, text } = summarizeProblem(problem, viewer)
  const { turn, dueAt, decision } = problem
  const advice = isOpen(problem) && adviceOn(problem, viewer)
  return (
    <SectionCard titleId="turn-title" title={title} aside={dueAt && <TimeLeft until={dueAt} />}>
      {advice && <Text>{advice}</Text>}
      <Text>{text}</Text>
      {turn === 'closed' && <WentBack problem={problem} viewer={viewer} />}
      {decision && (
        <div>
          <Text size="sm" c="dimmed">
            {t`Our team’s reason`}
          </Text>
          <Text dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {decision}
          </Text>
        </div>
      )}
      {viewer === 'owner' && turn === 'owner' && (
        <AnswerForm problem={problem} to={problem.memberName} closing="fixed" other="contest" />
      )}
      {viewer === 'member' && turn === 'member' && (
        <AnswerForm problem={problem} to={problem.ownerName} closing="works" other="still">
          <UndoReceipt problem={problem} variant="subtle" />
        </AnswerForm>
      )}
      {viewer === 'member' && (turn === 'owner' || turn === 'staff') && (
        <UndoReceipt problem={problem} variant="default" />
      )}
      {viewer === 'staff' && turn === 'staff' && <DecideButtons problem={problem} />}
    </SectionCard>
  )
}

/** The sum that went back to the member since the report, if any. */
function WentBack({ problem: { id, reportedAt, memberName }, viewer }: ProblemTurnProps) {
  const { data: entries = [] } = useQuery(timelineQuery(id))
  const refunds = entries.filter(
    ({ kind, at }) => kind === 'given-back' && Date.parse(at) >= Date.parse(reportedAt),
  )
  if (refunds.length === 0) return null
  const sum = formatMoney(refunds.reduce((total, { amount }) => total + (amount ?? 0), 0))
  return (
    <Text fw={600}>{viewer === 'member' ? t`You got ${sum} back.` : t`${memberName} got ${sum} back.`}</Text>
  )
}

interface TakeBackProps {
  problem: Problem
  /** `subtle` next to the answer buttons, which matter more. */
  variant: 'default' | 'subtle'
}

/** The button to take back a report while it is open. */
function UndoReceipt({ problem, variant }: TakeBackProps) {
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
        {t`Withdraw report`}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t`Withdraw this report?`}
        confirmLabel={t`Withdraw report`}
        cancelLabel={t`Keep report`}
        color="clay"
        busy={take.isPending}
        onConfirm={() => take.mutate({ step: 'withdraw' })}
        onClose={close}
      >
        {t`You pay for the time since your report as usual.`}
      </ConfirmDialog>
    </>
  )
}

type Answer = 'fixed' | 'contest' | 'works' | 'still'

/** The label of each answer and, for the owner, its meaning and who answers next. */
const answerWords = ({ memberName }: Problem): Record<Answer, [label: string, meaning?: string]> => ({
  fixed: [t`Fixed`, t`There was a problem and I solved it. ${memberName} checks.`],
  contest: [t`It works`, t`There was no problem. Our team decides.`],
  works: [t`Yes, it works`],
  still: [t`No, still not working`],
})

interface AnswerFormProps {
  problem: Problem
  /** The name of the person who reads the note. */
  to: string
  /** The answer that closes the problem, and the answer that keeps it open. */
  closing: Answer
  other: Answer
  /** A further button, below the two answers. */
  children?: ReactNode
}

/** A form for one side's answer, with a note. */
function AnswerForm({ problem, to, closing, other, children }: AnswerFormProps) {
  const [note, setNote] = useState('')
  const answer = useProblemStep(problem)
  return (
    <Stack gap="md">
      <NoteField label={t`Message to ${to} (optional)`} value={note} onChange={setNote} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {[closing, other].map((step) => {
          const busy = answer.isPending && answer.variables.step === step
          const [label, meaning] = answerWords(problem)[step]
          return (
            <Button
              key={step}
              variant={step === closing ? 'filled' : 'default'}
              {...(meaning && { h: 'auto', py: 'sm', justify: 'flex-start', ta: 'start' })}
              loading={busy}
              disabled={answer.isPending && !busy}
              onClick={() => answer.mutate({ step, note })}
            >
              <span>
                {label}
                {meaning && (
                  <Text span display="block" size="sm" c="inherit" fw={400}>
                    {meaning}
                  </Text>
                )}
              </span>
            </Button>
          )
        })}
      </SimpleGrid>
      {children}
    </Stack>
  )
}
