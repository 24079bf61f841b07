import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { fullDate, fullDay } from '#domain/dates.ts'
import { PROBLEM_TITLES } from '#domain/problems.ts'
import { actionName, whoDid } from '#features/staff/staff-log/log-words.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { Section } from './Section.tsx'
import type { StaffPerson } from './staff-person.query.ts'

type Records = { [Name in 'problems' | 'cases' | 'log']: NonNullable<StaffPerson[Name]> }
type Part<Name extends keyof Records> = { personId: string } & Pick<Records, Name>

const PROBLEMS: Column<Records['problems'][number]>[] = [
  { label: t`Reported`, as: 'detail', cell: ({ reportedAt }) => fullDay(reportedAt) },
  {
    label: t`Problem`,
    as: 'title',
    brief: ({ planName, reason }) => `${planName}: ${PROBLEM_TITLES[reason]}`,
    cell: ({ id, planName, reason, isOwner, otherId, otherName }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <LinkAnchor to="/problems/$problemId" params={{ problemId: id }}>
          {planName}: {PROBLEM_TITLES[reason]}
        </LinkAnchor>
        <Text size="sm" c="dimmed">
          {isOwner ? (
            <Trans>
              reported by <PersonLink staff userId={otherId} name={otherName} />
            </Trans>
          ) : (
            <Trans>
              reported to <PersonLink staff userId={otherId} name={otherName} />
            </Trans>
          )}
        </Text>
      </div>
    ),
  },
  {
    label: t`State`,
    as: 'state',
    cell: ({ turn, fault, isOwner }) => {
      const isTheirs = fault === (isOwner ? 'owner' : 'member')
      return (
        <Badge variant="light" tt="none" color={turn !== 'closed' ? 'honey' : isTheirs ? 'beet' : 'gray'}>
          {turn === 'closed' ? (isTheirs ? t`Their fault` : t`Closed`) : t`Open`}
        </Badge>
      )
    },
  },
]

/** Problems with a person's places, as member or owner. */
export function ProblemsSection({ personId, problems }: Part<'problems'>) {
  return (
    <Section
      title={t`Problems`}
      action={
        <LinkAnchor to="/admin/problems" search={{ person: personId }}>
          {t`Closed problems`}
        </LinkAnchor>
      }
      none={problems.length === 0 && t`No problems ever.`}
    >
      <DataTable
        label={t`Problems`}
        columns={PROBLEMS}
        rows={problems}
        rowKey={({ id }) => id}
        rowProps={({ planName }) => ({ 'aria-label': planName })}
      />
    </Section>
  )
}

/** Cases about a person, and by them. */
export function CasesSection({ personId, cases }: Part<'cases'>) {
  const [about, by] = [cases.filter(({ isAbout }) => isAbout), cases.filter(({ isAbout }) => !isAbout)]
  return (
    <Section
      title={t`Cases`}
      action={
        <LinkAnchor to="/admin/cases" search={{ person: personId }}>
          {t`Open cases`}
        </LinkAnchor>
      }
      none={cases.length === 0 && t`No cases about them or by them.`}
    >
      <Stack gap="lg">
        {about.length > 0 && <Cases label={t`About them`} cases={about} />}
        {by.length > 0 && <Cases label={t`By them`} cases={by} />}
      </Stack>
    </Section>
  )
}

interface CasesProps {
  label: string
  cases: Records['cases']
}

function Cases({ label, cases }: CasesProps) {
  const columns: Column<Records['cases'][number]>[] = [
    { label: t`Since`, as: 'detail', cell: ({ openedAt }) => fullDay(openedAt) },
    {
      label,
      as: 'title',
      brief: ({ body }) => body,
      cell: ({ kind, body, isAbout, otherId, otherName }) => (
        <div style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-line' }}>
            {body}
          </Text>
          <Text size="sm" c="dimmed">
            {kind === 'question' || kind === 'appeal' ? (
              KINDS[kind]
            ) : otherId === null ? (
              isAbout ? (
                t`Reported by ${otherName ?? t`someone who has left`}`
              ) : (
                t`About someone who has left`
              )
            ) : isAbout ? (
              <Trans>
                Reported by <PersonLink staff userId={otherId} name={otherName ?? ''} />
              </Trans>
            ) : (
              <Trans>
                About <PersonLink staff userId={otherId} name={otherName ?? ''} />
              </Trans>
            )}
          </Text>
        </div>
      ),
    },
    {
      label: t`Finding`,
      as: 'detail',
      brief: ({ closedAt, answer }) => answer ?? (closedAt ? t`Closed` : t`To be looked at`),
      cell: ({ closedAt, answer }) =>
        closedAt === null ? (
          <LinkAnchor to="/admin/cases">{t`To be looked at`}</LinkAnchor>
        ) : (
          <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {answer ?? t`Closed`}
          </Text>
        ),
    },
  ]
  return <DataTable label={label} columns={columns} rows={cases} rowKey={({ id }) => id} />
}

const KINDS = { question: t`Question`, appeal: t`Appeal against a decision` }

const LOG: Column<Records['log'][number]>[] = [
  { label: t`Time`, as: 'detail', brief: ({ at }) => fullDay(at), cell: ({ at }) => fullDate(at) },
  {
    label: t`Who`,
    as: 'detail',
    brief: whoDid,
    cell: (line) =>
      line.actor ? <PersonLink staff userId={line.actor} name={whoDid(line)} /> : whoDid(line),
  },
  {
    label: t`What`,
    as: 'title',
    brief: ({ action }) => actionName(action),
    cell: ({ action, reason }) => (
      <Group gap={4} component="span" style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600} span>
          {actionName(action)}
        </Text>
        {reason !== null && (
          <Text size="sm" c="dimmed" span dir="auto">
            {reason}
          </Text>
        )}
      </Group>
    ),
  },
]

/** Staff's actions on a person or their belongings. */
export function LogSection({ personId, log }: Part<'log'>) {
  return (
    <Section
      title={t`Staff Log`}
      none={log.length === 0 && t`Staff has made no decisions about them.`}
      action={
        <LinkAnchor to="/admin/log" search={{ person: personId }}>
          {t`Full log`}
        </LinkAnchor>
      }
    >
      <DataTable label={t`What staff did`} columns={LOG} rows={log} rowKey={({ line }) => line} />
    </Section>
  )
}
