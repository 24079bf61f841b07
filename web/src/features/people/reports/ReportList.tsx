import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, Queue, queueRow } from '#ui/Queue.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { reportTexts } from './reports.messages.ts'
import { useCloseReport } from './reports.mutations.ts'
import { type PersonReport, type ReportWish, reportsQuery } from './reports.queries.ts'

/** What people report about each other, for staff to look into. */
export function ReportList({ wish }: { wish: ReportWish }) {
  const { data: reports, error, refetch } = useQuery(reportsQuery(wish))
  if (!reports && error)
    return <LoadAlert title={reportTexts.listFailed} problem={error} onRetry={() => void refetch()} />
  if (!reports) return <RowsSkeleton rows={3} />
  if (reports.length === 0)
    return wish.isClosed || wish.person ? (
      <EmptyState order={2} title="No reports found">
        Try fewer filters.
      </EmptyState>
    ) : (
      <EmptyState order={2} title="No report waits for you">
        All is calm.
      </EmptyState>
    )
  return (
    <Queue opens="Open the page of the reported person" keys={[{ key: 'c', does: 'Close with a finding' }]}>
      <Stack gap="md">
        {reports.map((report) => (
          <Report key={report.id} report={report} />
        ))}
      </Stack>
    </Queue>
  )
}

function Report({ report }: { report: PersonReport }) {
  const { id, person_id, person_name: name, avatar_url, reporter_id, reporter_name, reason } = report
  const [closing, { open, close }] = useDisclosure()
  const send = useCloseReport(id, close)
  return (
    <SurfaceCard component="article" aria-label={`About ${name}`} {...queueRow}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap">
          <PersonAvatar name={name} src={avatar_url} size={44} />
          <Stack gap={0} miw={0}>
            <Text fw={600} truncate>
              <PersonLink staff userId={person_id} name={name} pressed={pressedBy('o')} />
            </Text>
            <Text size="sm" c="dimmed">
              Reported by{' '}
              {reporter_id ? (
                <PersonLink staff userId={reporter_id} name={reporter_name ?? ''} />
              ) : (
                'somebody who has left'
              )}
              , <RelativeDate date={report.reported_at} />
            </Text>
          </Stack>
        </Group>
        <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{reason}</Text>
        {report.decided_at ? (
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            <b>Finding</b>, <RelativeDate date={report.decided_at} size="sm" />: {report.finding}
          </Text>
        ) : (
          <Button variant="default" {...pressedBy('c')} onClick={open} style={{ alignSelf: 'flex-start' }}>
            Close with a finding
          </Button>
        )}
      </Stack>
      {closing && (
        <ReasonDialog
          title={`Close the report about ${name}?`}
          label="What did you find, and do?"
          confirmLabel="Close report"
          color="clay"
          busy={send.isPending}
          onConfirm={(finding) => send.mutate(finding)}
          onClose={close}
        >
          It stands in the log of staff.{' '}
          {reporter_name && `${reporter_name} hears that you have looked at it. `}
          {name} hears nothing.
        </ReasonDialog>
      )}
    </SurfaceCard>
  )
}
