import { t } from '@lingui/core/macro'
import { Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { fullDate, fullDay, timeOfDay } from '#domain/dates.ts'
import { CollapsibleCode } from '#ui/Collapsible.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { actionName, changed, detailName, inWords, sentenceOf, whoDid } from './log-words.ts'
import { isPerson, type LogLine, staffLogQuery } from './staff-log.queries.ts'

const FAILED = t`Failed to load the log`
const COLUMNS: Column<LogLine>[] = [
  { label: t`Line`, sort: 'line', number: true, cell: ({ line }) => line },
  {
    label: t`Time`,
    sort: 'at',
    as: 'detail',
    brief: ({ at }) => fullDay(at),
    cell: ({ at }) => fullDate(at),
    belowHeading: ({ at }) => timeOfDay(at),
  },
  {
    label: t`Who`,
    sort: 'actor_name',
    as: 'detail',
    brief: whoDid,
    cell: (line) => <Person id={line.actor} name={whoDid(line)} />,
  },
  {
    label: t`What`,
    sort: 'action',
    as: 'title',
    brief: sentenceOf,
    cell: ({ action, subject, subjectName }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          {actionName(action)}
        </Text>
        <Text size="sm">
          <Person id={subjectName && isPerson(subject) ? subject : null} name={subjectName ?? subject} />
        </Text>
      </div>
    ),
  },
  {
    label: t`Details`,
    cell: ({ details, hash }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <Group component="div" gap="0 16px" justify="inherit">
          {changed(details)
            .filter(([, value]) => !isId(value))
            .map(([name, value]) => (
              <Text key={name} size="sm" dir="auto" span>
                <Text span inherit c="dimmed">
                  {t`${detailName(name)}:`}
                </Text>{' '}
                {inWords(name, value)}
              </Text>
            ))}
        </Group>
        <CollapsibleCode name={t`Ids and hash`}>
          {[...Object.entries(details).filter(([, value]) => isId(value)), ['hash', hash]]
            .map(([name, value]) => `${name} ${value}`)
            .join(', ')}
        </CollapsibleCode>
      </div>
    ),
  },
]

/** The staff log, newest first: all entries, or those about one person. */
export function StaffLog({ person }: { person: string | undefined }) {
  const sorting = useSorting('sort')
  const log = useInfiniteQuery(staffLogQuery(person, sorting))
  const byDay = sorting === undefined || sorting.by === 'at'
  return (
    <Loaded
      of={log}
      rows={8}
      failed={FAILED}
      empty={
        <EmptyState order={2} title={person ? t`Nothing found` : t`Nothing yet`}>
          {person ? t`Staff has made no decisions about them.` : t`Staff decisions appear here.`}
        </EmptyState>
      }
    >
      {(lines) => (
        <Stack gap="lg" aria-busy={log.isPlaceholderData}>
          <DataTable
            lines
            sorts="sort"
            label={t`Staff log`}
            columns={COLUMNS}
            rows={lines}
            rowKey={({ line }) => line}
            heading={byDay ? ({ at }) => fullDay(at) : undefined}
          />
          <KeptRows list={log} failed={FAILED}>
            {t`Load more lines`}
          </KeptRows>
        </Stack>
      )}
    </Loaded>
  )
}

const isId = (value: unknown) => typeof value === 'string' && isPerson(value)

function Person({ id, name }: { id: string | null; name: string }) {
  return id ? <PersonLink staff userId={id} name={name} /> : <bdi>{name}</bdi>
}
