import { Code, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { fullDate } from '#domain/dates.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { type LogLine, staffLogQuery } from './staff-log.queries.ts'

const FAILED = 'Failed to load the log'
const COLUMNS = [
  { label: 'Line' },
  { label: 'Time' },
  { label: 'Who' },
  { label: 'What' },
  { label: 'Details' },
]

/** What staff did, newest first; all of it, or what is about one person. */
export function StaffLog({ person }: { person: string | undefined }) {
  const log = useInfiniteQuery(staffLogQuery(person))
  if (log.isPending) return <RowsSkeleton rows={8} />
  if (!log.data) return <LoadAlert title={FAILED} problem={log.error} onRetry={() => void log.refetch()} />
  if (log.data.length === 0)
    return person ? (
      <EmptyState order={2} title="Nothing found">
        Staff has decided nothing about them.
      </EmptyState>
    ) : (
      <EmptyState order={2} title="Nothing yet">
        What staff decides is written down here.
      </EmptyState>
    )
  return (
    <Stack gap="lg" aria-busy={log.isPlaceholderData}>
      <StackTable label="Log of staff" columns={COLUMNS}>
        {log.data.map((line) => (
          <StackRow key={line.line}>
            <StackCell label="Line">{line.line}</StackCell>
            <StackCell label="Time">{fullDate(line.at)}</StackCell>
            <StackCell label="Who">
              <Person id={line.actor} name={whoDid(line)} />
            </StackCell>
            <StackCell label="What">
              <div style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm" fw={600} style={{ textTransform: 'capitalize' }} span>
                  {line.action}
                </Text>
                <Text size="sm">
                  <Person
                    id={line.subject_name && isPerson(line.subject) ? line.subject : null}
                    name={line.subject_name ?? line.subject}
                  />
                </Text>
              </div>
            </StackCell>
            <StackCell label="Details">
              <div style={{ overflowWrap: 'anywhere' }}>
                <Group component="div" gap="0 16px" justify="inherit">
                  {Object.entries(line.details as object).map(([name, value]) => (
                    <Text key={name} size="sm" dir="auto" span>
                      <Text span inherit c="dimmed">
                        {name.replaceAll('_', ' ')}:
                      </Text>{' '}
                      {typeof value === 'object' ? JSON.stringify(value) : String(value)}
                    </Text>
                  ))}
                </Group>
                <Text size="xs" c="dimmed">
                  Hash <Code>{line.hash}</Code>
                </Text>
              </div>
            </StackCell>
          </StackRow>
        ))}
      </StackTable>
      <KeptRows list={log} failed={FAILED}>
        Load more lines
      </KeptRows>
    </Stack>
  )
}

/** Plans have ids of another kind, and what has no name is neither. */
const isPerson = (id: string) => z.guid().safeParse(id).success

function Person({ id, name }: { id: string | null; name: string }) {
  return id ? <PersonLink staff userId={id} name={name} /> : <bdi>{name}</bdi>
}

/** Somebody without an account is the server; one whose name is gone has closed it. */
const whoDid = ({ actor, actor_name }: LogLine) => actor_name ?? (actor ? 'Deleted account' : 'The server')
