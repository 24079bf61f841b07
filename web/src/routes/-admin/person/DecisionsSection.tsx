import { t } from '@lingui/core/macro'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Measure } from '#features/account/decisions/decisions.ts'
import { ReasonsDialog } from '#features/account/decisions/ReasonsDialog.tsx'
import { endOf, LengthSelect } from '#features/staff/cases/CaseActions.tsx'
import { EarlierDecisions } from '#features/staff/cases/CaseFacts.tsx'
import { EFFECTS } from '#features/staff/cases/cases.messages.ts'
import { useDecideAbout } from '#features/staff/cases/cases.mutations.ts'
import { toEarlier } from '#features/staff/cases/cases.queries.ts'
import { Section } from './Section.tsx'
import type { StaffPerson } from './staff-person.query.ts'

interface DecisionsSectionProps {
  person: StaffPerson
  decisions: NonNullable<StaffPerson['decisions']>
}

/** What staff decided about a person, and buttons to decide without a report. */
export function DecisionsSection({ person, decisions }: DecisionsSectionProps) {
  const [asked, setAsked] = useState<Measure | null>(null)
  const { id, name, avatarUrl, suspendedUntil, endedAt, email } = person
  const choices: [Measure, string][] = [
    ['warned', t`Warn`],
    ...(avatarUrl ? [['picture-removed', t`Remove the picture`] as [Measure, string]] : []),
    // Admins, who read the address, may suspend.
    ...(email !== null && suspendedUntil === null ? [['suspended', t`Suspend`] as [Measure, string]] : []),
  ]
  return (
    <Section title={t`Decisions`} none={false}>
      <EarlierDecisions earlier={toEarlier(decisions)} />
      {endedAt === null && (
        <Group gap="xs">
          {choices.map(([measure, label]) => (
            <Button key={measure} size="sm" variant="default" onClick={() => setAsked(measure)}>
              {label}
            </Button>
          ))}
        </Group>
      )}
      {asked && <Decide id={id} name={name} measure={asked} onClose={() => setAsked(null)} />}
    </Section>
  )
}

interface DecideProps {
  id: string
  name: string
  measure: Measure
  onClose: () => void
}

function Decide({ id, name, measure, onClose }: DecideProps) {
  const [days, setDays] = useState('3')
  const decide = useDecideAbout(id, onClose)
  const isSuspension = measure === 'suspended'
  return (
    <ReasonsDialog
      title={
        isSuspension
          ? t`Suspend ${name}?`
          : measure === 'warned'
            ? t`Warn ${name}?`
            : t`Remove the picture of ${name}?`
      }
      confirmLabel={
        isSuspension ? t`Suspend` : measure === 'warned' ? t`Send warning` : t`Remove the picture`
      }
      measure={measure}
      until={isSuspension ? endOf(days) : null}
      busy={decide.isPending}
      onConfirm={(reasons) =>
        decide.mutate({ measure, reasons, days: isSuspension && days !== '' ? Number(days) : null })
      }
      onClose={onClose}
    >
      {EFFECTS[measure]?.(name)}
      {isSuspension && <LengthSelect days={days} onChange={setDays} />}
    </ReasonsDialog>
  )
}
