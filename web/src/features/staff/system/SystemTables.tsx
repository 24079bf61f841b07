import { plural, t } from '@lingui/core/macro'
import { Alert, Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatBytes } from '#domain/bytes.ts'
import { listOf } from '#domain/lists.ts'
import { Collapsible } from '#ui/Collapsible.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Figure, Figures } from '#ui/Figures.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { PaymentHold } from './PaymentHold.tsx'
import {
  type JobState,
  type QueueState,
  type Server,
  type SystemState,
  systemStateQuery,
} from './system.query.ts'

const QUEUES: Record<QueueState['queue'], string> = {
  mails: t`Emails`,
  payments: t`Payments`,
  places: t`Steps of places`,
  pushes: t`Notifications on devices`,
  webhooks: t`Webhooks`,
}

const when = (time: string | null) => (time ? <RelativeDate date={time} size="sm" /> : t`never`)

function Problem({ error }: { error: string | null }) {
  return error ? (
    <Text size="sm" c="red.8" style={{ overflowWrap: 'anywhere' }}>
      {error}
    </Text>
  ) : null
}

/** A column whose label is also in the line of a phone, where its value alone would say nothing. */
const labelled = <Row,>(column: Column<Row>): Column<Row> => ({
  ...column,
  brief: (row) => {
    const content: ReactNode = column.cell(row)
    return (
      content && (
        <>
          {column.label}: {content}
        </>
      )
    )
  },
})

const QUEUE_COLUMNS: Column<QueueState>[] = [
  { label: t`Queue`, as: 'title', cell: ({ queue }) => QUEUES[queue] },
  labelled({ label: t`Waiting`, as: 'state', number: true, cell: ({ waiting }) => String(waiting) }),
  { label: t`Tried before`, number: true, cell: ({ tried }) => String(tried) },
  labelled({ label: t`Oldest`, as: 'detail', cell: ({ oldestAt }) => oldestAt && when(oldestAt) }),
  { label: t`Newest error`, cell: ({ error }) => error && <Problem error={error} /> },
]

/** The columns in which some queue has a value. */
const queueColumns = (queues: readonly QueueState[]) => QUEUE_COLUMNS.filter(({ cell }) => queues.some(cell))

/** A job's name in the database as words: "close-day" becomes "Close day". */
const jobName = (job: string) => job.charAt(0).toUpperCase() + job.slice(1).replaceAll('-', ' ')

const JOB: Column<JobState> = { label: t`Job`, as: 'title', cell: ({ job }) => jobName(job) }
const LAST_SUCCESS = labelled<JobState>({
  label: t`Last success`,
  as: 'state',
  cell: ({ succeededAt }) => when(succeededAt),
})
const LAST_RUN: Column<JobState> = { label: t`Last run`, cell: ({ endedAt }) => when(endedAt) }
const FAILED_JOB_COLUMNS: Column<JobState>[] = [
  JOB,
  LAST_SUCCESS,
  LAST_RUN,
  { label: t`Error of the last run`, as: 'detail', cell: ({ error }) => <Problem error={error} /> },
]
const JOB_COLUMNS: Column<JobState>[] = [
  JOB,
  { label: t`Schedule`, cell: ({ schedule }) => <Code>{schedule}</Code> },
  LAST_SUCCESS,
  LAST_RUN,
]

const SERVER_COLUMNS: Column<Server>[] = [
  { label: t`Version`, as: 'title', cell: ({ version }) => version },
  labelled({ label: t`Started`, as: 'detail', cell: ({ startedAt }) => when(startedAt) }),
  labelled({
    label: t`Free disk space`,
    as: 'state',
    cell: ({ freeBytes }) => (freeBytes === null ? '–' : formatBytes(freeBytes)),
  }),
  { label: t`Last daily backup`, cell: ({ backedUpAt }) => when(backedUpAt) },
]

/** How the site runs: servers, database, queues and jobs. For admins. */
export function SystemTables() {
  return (
    <Loaded of={useQuery(systemStateQuery)} failed={t`The state of the site could not be loaded`}>
      {({ hold, database, servers, queues, jobs }) => (
        <Stack gap="lg">
          {hold && <PaymentHold {...hold} />}
          <Health queues={queues} jobs={jobs} />
          {servers.map(({ startedAt, clockJumpedAt, clockJumpSeconds }) =>
            clockJumpedAt ? (
              <ClockJump key={startedAt} at={clockJumpedAt} seconds={clockJumpSeconds ?? 0} />
            ) : null,
          )}
          <Figures columns={2}>
            <Figure label={t`Size of the database`} figure={formatBytes(database.bytes)} />
            <Figure label={t`Postgres version`} figure={database.version} />
          </Figures>
          {servers.length > 0 && (
            <SectionCard titleId="servers-title" title={t`Servers`}>
              <DataTable
                label={t`Servers`}
                columns={SERVER_COLUMNS}
                rows={servers}
                rowKey={({ startedAt }) => startedAt}
              />
            </SectionCard>
          )}
          <SectionCard titleId="queues-title" title={t`Queues`}>
            <DataTable
              label={t`Queues`}
              columns={queueColumns(queues)}
              rows={queues}
              rowKey={({ queue }) => queue}
            />
          </SectionCard>
          <SectionCard titleId="jobs-title" title={t`Scheduled jobs`}>
            <Jobs jobs={jobs} />
          </SectionCard>
        </Stack>
      )}
    </Loaded>
  )
}

/** The jobs whose last run failed, and behind a line all others. */
function Jobs({ jobs }: Pick<SystemState, 'jobs'>) {
  const failed = jobs.filter(({ error }) => error)
  const fine = jobs.filter(({ error }) => !error)
  return (
    <>
      {failed.length > 0 && (
        <DataTable
          label={t`Scheduled jobs`}
          columns={FAILED_JOB_COLUMNS}
          rows={failed}
          rowKey={({ job }) => job}
        />
      )}
      {fine.length > 0 && (
        <Collapsible name={plural(fine.length, { one: '# job runs fine', other: '# jobs run fine' })}>
          <DataTable
            label={t`Jobs that run fine`}
            columns={JOB_COLUMNS}
            rows={fine}
            rowKey={({ job }) => job}
          />
        </Collapsible>
      )}
    </>
  )
}

/** Says whether anything fails. */
function Health({ queues, jobs }: Pick<SystemState, 'queues' | 'jobs'>) {
  const failing = [
    ...queues.filter(({ error, waiting }) => error && waiting > 0).map(({ queue }) => QUEUES[queue]),
    ...jobs.filter(({ error }) => error).map(({ job }) => jobName(job)),
  ]
  return failing.length === 0 ? (
    <Text fw={600}>{t`Everything runs: no queue and no job has an error.`}</Text>
  ) : (
    <Alert color="yellow" title={t`Something fails`}>
      {listOf(failing)}
    </Alert>
  )
}

function ClockJump({ at, seconds }: { at: string; seconds: number }) {
  const hours = Math.round(Math.abs(seconds) / 3600)
  return (
    <Alert color="yellow" title={t`The server’s clock jumped`}>
      {seconds > 0
        ? t`It jumped ahead by about ${hours} h: the clock was set, or the machine was asleep. Deadlines may have passed unnoticed.`
        : t`It was set back by about ${hours} h. Deadlines may take that much longer.`}{' '}
      <RelativeDate date={at} />
    </Alert>
  )
}
