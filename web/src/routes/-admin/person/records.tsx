import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fullDate, fullDay } from '#domain/dates.ts'
import { REASONS } from '#domain/problems.ts'
import { PersonLink } from '#ui/PersonLink.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { Section } from './Section.tsx'
import type { StaffPerson } from './staff-person.query.ts'

const PROBLEMS = [{ label: 'Reported' }, { label: 'Problem' }, { label: 'State' }]
const LOG = [{ label: 'Time' }, { label: 'Who' }, { label: 'What' }]

type Part<Name extends 'problems' | 'reports' | 'log'> = { personId: string } & {
  [name in Name]: NonNullable<StaffPerson[name]>
}

/** What was wrong with places they have or give. */
export function ProblemsSection({ personId, problems }: Part<'problems'>) {
  return (
    <Section
      title="Problems"
      action={
        <Anchor renderRoot={(root) => <Link {...root} to="/admin/problems" search={{ person: personId }} />}>
          Closed ones
        </Anchor>
      }
      none={problems.length === 0 && 'Nothing was ever wrong.'}
    >
      <StackTable label="Problems" columns={PROBLEMS}>
        {problems.map((problem) => {
          const isTheirs = problem.fault === (problem.isOwner ? 'owner' : 'member')
          return (
            <StackRow key={problem.id} label={problem.planName}>
              <StackCell label="Reported">{fullDay(problem.reportedAt)}</StackCell>
              <StackCell label="Problem">
                <div style={{ overflowWrap: 'anywhere' }}>
                  <Anchor
                    renderRoot={(root) => (
                      <Link {...root} to="/problems/$problemId" params={{ problemId: problem.id }} />
                    )}
                  >
                    {problem.planName}: {REASONS[problem.reason]}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {problem.isOwner ? 'reported by' : 'reported to'}{' '}
                    <PersonLink staff userId={problem.otherId} name={problem.otherName} />
                  </Text>
                </div>
              </StackCell>
              <StackCell label="State">
                <Badge variant="light" tt="none" color={stateColor(problem.turn, isTheirs)}>
                  {problem.turn === 'closed' ? (isTheirs ? 'Their fault' : 'Closed') : 'Open'}
                </Badge>
              </StackCell>
            </StackRow>
          )
        })}
      </StackTable>
    </Section>
  )
}

const stateColor = (turn: string, isTheirs: boolean) =>
  turn !== 'closed' ? 'honey' : isTheirs ? 'beet' : 'gray'

/** What they were reported for, and what they reported. */
export function ReportsSection({ personId, reports }: Part<'reports'>) {
  const [about, by] = [reports.filter(({ isAbout }) => isAbout), reports.filter(({ isAbout }) => !isAbout)]
  return (
    <Section
      title="Reports"
      action={
        <Anchor renderRoot={(root) => <Link {...root} to="/admin/reports" search={{ person: personId }} />}>
          To look at
        </Anchor>
      }
      none={reports.length === 0 && 'None, neither about them nor by them.'}
    >
      <Stack gap="lg">
        {about.length > 0 && <Reports label="About them" reports={about} other="Reported by" />}
        {by.length > 0 && <Reports label="By them" reports={by} other="About" />}
      </Stack>
    </Section>
  )
}

interface ReportsProps {
  label: string
  reports: NonNullable<StaffPerson['reports']>
  /** What the other person is to a report. */
  other: string
}

function Reports({ label, reports, other }: ReportsProps) {
  return (
    <StackTable label={label} columns={[{ label: 'Reported' }, { label }, { label: 'Finding' }]}>
      {reports.map(({ id, otherId, otherName, reason, reportedAt, finding }) => (
        <StackRow key={id}>
          <StackCell label="Reported">{fullDay(reportedAt)}</StackCell>
          <StackCell label={label}>
            <div style={{ overflowWrap: 'anywhere' }}>
              <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-line' }}>
                {reason}
              </Text>
              <Text size="sm" c="dimmed">
                {other}{' '}
                {otherId ? (
                  <PersonLink staff userId={otherId} name={otherName ?? ''} />
                ) : (
                  'somebody who has left'
                )}
              </Text>
            </div>
          </StackCell>
          <StackCell label="Finding">
            {finding === null ? (
              <Anchor renderRoot={(root) => <Link {...root} to="/admin/reports" />}>To be looked at</Anchor>
            ) : (
              <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {finding}
              </Text>
            )}
          </StackCell>
        </StackRow>
      ))}
    </StackTable>
  )
}

/** What staff did to them or to something of theirs. */
export function LogSection({ personId, log }: Part<'log'>) {
  return (
    <Section
      title="Staff Log"
      none={log.length === 0 && 'Staff has decided nothing about them.'}
      action={
        <Anchor renderRoot={(root) => <Link {...root} to="/admin/log" search={{ person: personId }} />}>
          All of it
        </Anchor>
      }
    >
      <StackTable label="What staff did" columns={LOG}>
        {log.map(({ line, at, actor, actorName, action, reason }) => (
          <StackRow key={line}>
            <StackCell label="Time">{fullDate(at)}</StackCell>
            <StackCell label="Who">
              {actor ? (
                <PersonLink staff userId={actor} name={actorName ?? 'Deleted account'} />
              ) : (
                'The server'
              )}
            </StackCell>
            <StackCell label="What">
              <Group gap={4} component="span" style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm" fw={600} span>
                  {action}
                </Text>
                {reason !== null && (
                  <Text size="sm" c="dimmed" span dir="auto">
                    {reason}
                  </Text>
                )}
              </Group>
            </StackCell>
          </StackRow>
        ))}
      </StackTable>
    </Section>
  )
}
