import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FormattedText } from '#ui/FormattedText.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, Queue, queueRow } from '#ui/Queue.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { reportTexts } from './reports.messages.ts'
import { useCloseReport } from './reports.mutations.ts'
import { type PersonReport, type ReportFilter, reportsQuery } from './reports.queries.ts'

/** Reports about people, for staff. */
export function ReportList({ filter }: { filter: ReportFilter }) {
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
  return (
    <Loaded of={useQuery(reportsQuery(filter))} failed={reportTexts.listFailed} empty={empty}>
      {(reports) => (
        <Queue
          opens={t`Open the page of the reported person`}
          keys={[{ key: 'c', does: t`Close with a finding` }]}
        >
          <Stack gap="md">
            {reports.map((report) => (
              <Report key={report.id} report={report} />
            ))}
          </Stack>
        </Queue>
      )}
    </Loaded>
  )
}

function Report({ report }: { report: PersonReport }) {
  const { id, personId, personName: name, avatarUrl, reporterId, reporterName, reason } = report
  const [closing, { open, close }] = useDisclosure()
  const send = useCloseReport(id, close)
  const when = <RelativeDate date={report.reportedAt} />
  return (
    <SurfaceCard component="article" aria-label={t`About ${name}`} {...queueRow}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap">
          <PersonAvatar name={name} src={avatarUrl} size={44} />
          <Stack gap={0} miw={0}>
            <Text fw={600} truncate>
              <PersonLink staff userId={personId} name={name} pressed={pressedBy('o')} />
            </Text>
            <Text size="sm" c="dimmed">
              {reporterId ? (
                <Trans>
                  Reported by <PersonLink staff userId={reporterId} name={reporterName ?? ''} />, {when}
                </Trans>
              ) : (
                <Trans>Reported by someone who has left, {when}</Trans>
              )}
            </Text>
          </Stack>
        </Group>
        <FormattedText>{reason}</FormattedText>
        {report.decidedAt ? (
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            <b>{t`Finding`}</b>, <RelativeDate date={report.decidedAt} size="sm" />: {report.finding}
          </Text>
        ) : (
          <Button variant="default" {...pressedBy('c')} onClick={open} style={{ alignSelf: 'flex-start' }}>
            {t`Close with a finding`}
          </Button>
        )}
      </Stack>
      {closing && (
        <ReasonDialog
          title={t`Close the report about ${name}?`}
          label={t`What did you find and do?`}
          confirmLabel={t`Close report`}
          color="clay"
          busy={send.isPending}
          onConfirm={(finding) => send.mutate(finding)}
          onClose={close}
        >
          {t`This goes into the staff log.`}{' '}
          {reporterName && t`We tell ${reporterName} that you looked at it.`} {t`${name} is not told.`}
        </ReasonDialog>
      )}
    </SurfaceCard>
  )
}
