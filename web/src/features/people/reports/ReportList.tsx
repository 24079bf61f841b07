import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDay } from '#domain/dates.ts'
import { useLive } from '#lib/live.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FormattedText } from '#ui/FormattedText.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, Queue, queueRow } from '#ui/Queue.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { REPORT_HOTKEYS, ReportActions } from './ReportActions.tsx'
import { ReportedChat } from './ReportedChat.tsx'
import { EarlierDecisions, ReportedPlans } from './ReportFacts.tsx'
import { DECISIONS, reportTexts } from './reports.messages.ts'
import { type PersonReport, type ReportFilter, reportKeys, reportsQuery } from './reports.queries.ts'

interface ReportListProps {
  filter: ReportFilter
  /** True for admins, who may suspend people. */
  maySuspend: boolean
}

/** Reports about people, for staff. */
export function ReportList({ filter, maySuspend }: ReportListProps) {
  const empty =
    filter.isClosed || filter.person ? (
      <EmptyState order={2} title={t`No reports found`}>
        {t`Try fewer filters.`}
      </EmptyState>
    ) : (
      <EmptyState order={2} title={t`No reports to look at`}>
        {t`You’re all caught up.`}
      </EmptyState>
    )
  // Reports may be made, and other staff may close them, while the list is open.
  useLive('person-reports', [{ table: 'person_reports' }], { keys: [reportKeys.all] })
  return (
    <Loaded of={useQuery(reportsQuery(filter))} failed={reportTexts.listFailed} empty={empty}>
      {(reports) => (
        <Queue opens={t`Open the page of the reported person`} keys={REPORT_HOTKEYS}>
          <Stack gap="md">
            {reports.map((report) => (
              <Report key={report.id} report={report} maySuspend={maySuspend} />
            ))}
          </Stack>
        </Queue>
      )}
    </Loaded>
  )
}

function Report({ report, maySuspend }: { report: PersonReport; maySuspend: boolean }) {
  const { personId, personName: name, avatarUrl, suspendedUntil } = report
  return (
    <SurfaceCard component="article" aria-label={t`About ${name}`} {...queueRow}>
      <Stack gap="md">
        <Group gap="sm" align="flex-start">
          <PersonAvatar name={name} src={avatarUrl} size={44} />
          <Stack gap={0} miw={0} flex={1}>
            <Text fw={600} truncate>
              <PersonLink staff userId={personId} name={name} pressed={pressedBy('o')} />
            </Text>
            <Reporter {...report} />
          </Stack>
          {suspendedUntil !== null && (
            <Badge variant="light" color="beet" tt="none">
              <Trans>Suspended until {fullDay(suspendedUntil)}</Trans>
            </Badge>
          )}
        </Group>
        <FormattedText>{report.reason}</FormattedText>
        {report.decision ? (
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            <b>{DECISIONS[report.decision]}</b>, <RelativeDate date={report.decidedAt ?? ''} size="sm" />:{' '}
            {report.finding}
          </Text>
        ) : (
          <>
            <ReportedPlans plans={report.plans} reporter={report.reporterName} />
            <EarlierDecisions earlier={report.earlier} />
            {report.hasChat && <ReportedChat report={report} />}
            <ReportActions report={report} maySuspend={maySuspend && suspendedUntil === null} />
          </>
        )}
      </Stack>
    </SurfaceCard>
  )
}

function Reporter({ reporterId, reporterName, reportedAt, unfounded }: PersonReport) {
  const when = <RelativeDate date={reportedAt} />
  const who = reporterId && <PersonLink staff userId={reporterId} name={reporterName ?? ''} />
  return (
    <Text size="sm" c="dimmed">
      {!who ? (
        <Trans>Reported by someone who has left, {when}</Trans>
      ) : (
        <Trans>
          Reported by {who}, {when}
        </Trans>
      )}
      {unfounded > 0 && ` · ${reportTexts.unfounded(unfounded)}`}
    </Text>
  )
}
