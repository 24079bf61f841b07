import { plural, t } from '@lingui/core/macro'
import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { fullDate } from '#domain/dates.ts'
import type { Block, Measure } from '#features/account/decisions/decisions.ts'
import { ReasonsDialog } from '#features/account/decisions/ReasonsDialog.tsx'
import type { Claim, Reported } from '#features/account/reports/reports.ts'
import { pressedBy } from '#ui/Queue.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { EFFECTS } from './cases.messages.ts'
import { useCloseCase } from './cases.mutations.ts'
import type { Case, Outcome } from './cases.queries.ts'

export const CASE_HOTKEYS = [
  { key: 'a', does: t`Answer` },
  { key: 'w', does: t`Warn` },
  { key: 'h', does: t`Hide or remove` },
  { key: 's', does: t`Suspend` },
  { key: 'c', does: t`Close without action` },
]

/** Returns the measure that hides or removes what was reported. */
function removalOf(kind: Reported): Measure {
  if (kind === 'review') return 'review-hidden'
  if (kind === 'picture') return 'picture-removed'
  return kind === 'message' ? 'message-removed' : 'plan-hidden'
}
const REMOVAL_LABELS: Partial<Record<Measure, string>> = {
  'plan-hidden': t`Hide a plan`,
  'review-hidden': t`Hide the review`,
  'message-removed': t`Remove the message`,
  'picture-removed': t`Remove the picture`,
}

/** The text that a claim suggests, so that a plain case takes two presses. */
const PRESETS: Partial<Record<Claim, Block>> = { fraud: 'no-access', abuse: 'insult', rights: 'rights' }

interface CaseActionsProps {
  of: Case
  maySuspend: boolean
}

/** Buttons for the ways to close an open case. */
export function CaseActions({ of: one, maySuspend }: CaseActionsProps) {
  const [asked, setAsked] = useState<Outcome | null>(null)
  const actions = actionsOn(one, maySuspend)
  const waits = waitOf(one)
  if (waits) return <Text c="dimmed">{waits}</Text>
  const close = () => setAsked(null)
  return (
    <>
      <Group gap="xs">
        {actions.map(([outcome, label, key]) => (
          <Button
            key={outcome}
            variant="default"
            {...(key && pressedBy(key))}
            onClick={() => setAsked(outcome)}
          >
            {label}
          </Button>
        ))}
      </Group>
      {asked &&
        (isMeasure(asked) ? (
          <DecideDialog of={one} measure={asked} onClose={close} />
        ) : (
          <AnswerDialog of={one} outcome={asked} onClose={close} />
        ))}
    </>
  )
}

const isMeasure = (outcome: Outcome): outcome is Measure =>
  !['answered', 'none', 'upheld', 'reversed'].includes(outcome)

function actionsOn({ kind, plans, suspendedUntil }: Case, maySuspend: boolean): [Outcome, string, string?][] {
  if (kind === 'question') return [['answered', t`Answer`, 'a']]
  if (kind === 'appeal')
    return [
      ['reversed', t`Take the decision back`],
      ['upheld', t`Uphold the decision`],
    ]
  const removal = removalOf(kind)
  const mayRemove = removal !== 'plan-hidden' || plans.some(({ status }) => status !== 'rejected')
  return [
    ['warned', t`Warn`, 'w'],
    ...(mayRemove ? [[removal, REMOVAL_LABELS[removal], 'h'] as [Outcome, string, string]] : []),
    ...(maySuspend && suspendedUntil === null
      ? [['suspended', t`Suspend`, 's'] as [Outcome, string, string]]
      : []),
    ['none', t`Close without action`, 'c'],
  ]
}

/** Returns why the reader may not close the case now; null if they may. */
function waitOf({ mayCloseFrom }: Case): string | null {
  if (mayCloseFrom === 'infinity') return t`Somebody else decides on appeals against your own decisions.`
  if (mayCloseFrom === null || Date.parse(mayCloseFrom) <= Date.now()) return null
  return t`You made this decision yourself, and nobody else can decide again. You can from ${{ day: fullDate(mayCloseFrom) }}.`
}

interface DialogProps {
  of: Case
  onClose: () => void
}

function AnswerDialog({ of: one, outcome, onClose }: DialogProps & { outcome: Outcome }) {
  const send = useCloseCase(one, onClose)
  const name = one.personName ?? ''
  const writer = one.writerName ?? t`Someone who has left`
  const [title, label, action] = {
    answered: [t`Answer ${writer}`, t`Your answer`, t`Send answer`],
    none: [t`Close the report about ${name}?`, t`What did you find?`, t`Close report`],
    upheld: [t`Uphold the decision about ${name}?`, t`Why it stands`, t`Uphold the decision`],
    reversed: [t`Take back the decision about ${name}?`, t`What was wrong`, t`Take the decision back`],
  }[outcome as 'answered' | 'none' | 'upheld' | 'reversed']
  return (
    <ReasonDialog
      title={title ?? ''}
      label={label ?? ''}
      confirmLabel={action ?? ''}
      color="clay"
      most={LIMITS.longestCaseText}
      busy={send.isPending}
      onConfirm={(answer) => send.mutate({ outcome, answer })}
      onClose={onClose}
    >
      {outcome === 'answered' && one.body}
      {outcome === 'none' && t`Whoever reported it reads what you found. ${name} is not told.`}
      {outcome === 'upheld' && t`${name} reads it here and by email.`}
      {outcome === 'reversed' &&
        t`What was done is undone, as far as it can be. ${name} reads it here and by email.`}
    </ReasonDialog>
  )
}

/** In days; an empty string means no end. */
const LENGTHS = [
  ...[3, 30].map((count) => ({
    value: String(count),
    label: plural(count, { one: '# day', other: '# days' }),
  })),
  { value: '', label: t`For good` },
]

interface LengthSelectProps {
  days: string
  onChange: (days: string) => void
}

/** Chooses the length of a suspension. */
export const LengthSelect = ({ days, onChange }: LengthSelectProps) => (
  <NativeSelect
    label={t`For how long`}
    mt="sm"
    data={LENGTHS}
    value={days}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

const DAY_MS = 86_400_000

/** Returns when a suspension of this length, chosen now, ends (ISO); null if it has no end. */
export const endOf = (days: string) =>
  days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()

function DecideDialog({ of: one, measure, onClose }: DialogProps & { measure: Measure }) {
  const name = one.personName ?? ''
  const plans = one.plans.filter(
    ({ status, id }) => status !== 'rejected' && (one.kind !== 'plan' || id === one.subjectId),
  )
  const [planId, setPlanId] = useState(plans[0]?.id ?? null)
  const [days, setDays] = useState('3')
  const send = useCloseCase(one, onClose)
  const isPlan = measure === 'plan-hidden'
  const titles: Partial<Record<Measure, string>> = {
    warned: t`Warn ${name}?`,
    'plan-hidden': t`Hide a plan of ${name}?`,
    'review-hidden': t`Hide the review of ${name}?`,
    'message-removed': t`Remove the message of ${name}?`,
    'picture-removed': t`Remove the picture of ${name}?`,
    suspended: t`Suspend ${name}?`,
  }
  const confirm: Partial<Record<Measure, string>> = {
    ...REMOVAL_LABELS,
    warned: t`Send warning`,
    'plan-hidden': t`Hide plan`,
    suspended: t`Suspend`,
  }
  return (
    <ReasonsDialog
      title={titles[measure] ?? ''}
      confirmLabel={confirm[measure] ?? ''}
      measure={measure}
      subject={isPlan ? (plans.find(({ id }) => id === planId)?.name ?? '') : name}
      until={measure === 'suspended' ? endOf(days) : null}
      preset={one.claim === 'terms' && isPlan ? 'sharing' : (one.claim && PRESETS[one.claim]) || 'own'}
      busy={send.isPending}
      onConfirm={(reasons) =>
        send.mutate({
          outcome: measure,
          reasons,
          ...(isPlan && { planId }),
          ...(measure === 'suspended' && { days: days === '' ? null : Number(days) }),
        })
      }
      onClose={onClose}
    >
      {EFFECTS[measure]?.(name)} {one.writerName && t`We tell ${one.writerName} that we acted.`}
      {isPlan && plans.length > 1 && (
        <NativeSelect
          label={t`Plan`}
          mt="sm"
          data={plans.map((plan) => ({ value: plan.id, label: plan.name }))}
          value={planId ?? ''}
          onChange={({ currentTarget }) => setPlanId(currentTarget.value)}
        />
      )}
      {measure === 'suspended' && <LengthSelect days={days} onChange={setDays} />}
    </ReasonsDialog>
  )
}
