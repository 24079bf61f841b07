import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Badge, Button, Group, Select, Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney } from '#domain/money.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkAnchor, LinkButton } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { GONE, PersonLink } from '#ui/PersonLink.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import {
  type Seller,
  sellersQuery,
  type TaxReport,
  type TaxReportState,
  taxReportStateQuery,
  taxReportsQuery,
  useDownloadTaxReport,
  useMakeTaxReport,
  useVoidTaxReport,
} from './tax-reports.queries.ts'

const FAILED = t`Failed to load the tax report`

interface YearProps {
  year: number | undefined
  onYear: (year: number) => void
}

/** Owners' earnings in a year, the state of their tax details, and the tax reports. */
export function TaxReports(props: YearProps) {
  return (
    <Loaded of={useQuery(taxReportStateQuery)} rows={4} failed={FAILED}>
      {(state) =>
        state.is_on ? (
          <Stack gap="lg">
            <YearOf state={state} {...props} />
            <Messages />
          </Stack>
        ) : (
          <EmptyState
            title={t`Tax report is off`}
            order={2}
            action={
              <LinkButton to="/admin" search={{ tab: 'settings' }}>
                {t`Open settings`}
              </LinkButton>
            }
          >
            {t`Switch it on if your adviser says you must report.`}
          </EmptyState>
        )
      }
    </Loaded>
  )
}

function YearOf({ state, year: wanted, onYear }: YearProps & { state: TaxReportState }) {
  const { first_year: first, this_year: last, complete } = state
  // The default is last year, whose report is due by the end of January.
  const year = Math.min(Math.max(wanted ?? last - 1, first), Math.max(first, last))
  const sellers = useQuery(sellersQuery(year))
  const make = useMakeTaxReport(year)
  const years = Array.from({ length: Math.max(1, last - first + 1) }, (_, n) => String(first + n)).reverse()
  const count = (change: Seller['change']) => sellers.data?.filter((one) => one.change === change).length ?? 0
  const missing = sellers.data?.filter((one) => one.state === 'missing').length ?? 0
  const corrections = count('corrected') + count('deleted')
  const isOver = year < last
  return (
    <SectionCard
      titleId="sellers-title"
      title={t`Owners who earned in ${year}`}
      aside={
        <Select
          aria-label={t`Year`}
          data={years}
          value={String(year)}
          allowDeselect={false}
          w={110}
          onChange={(chosen) => chosen && onYear(Number(chosen))}
        />
      }
    >
      {!complete && (
        <Alert color="honey" role="status">
          <Trans>
            First say in the{' '}
            <LinkAnchor to="/admin" search={{ tab: 'settings' }}>
              settings
            </LinkAnchor>{' '}
            who reports, what and where.
          </Trans>
        </Alert>
      )}
      {missing > 0 && (
        <Alert color="honey" role="status">
          {t`${plural(missing, { one: '# owner has', other: '# owners have' })} not answered. After two reminders and ${plural(LIMITS.taxPatienceHours / 24, { one: '# day', other: '# days' })} the directive has you stop paying them or close their accounts, which you decide yourself.`}
        </Alert>
      )}
      <Loaded
        of={sellers}
        rows={3}
        failed={FAILED}
        empty={
          <EmptyState title={t`Nobody`} order={3}>
            {t`No owner was paid through the site in ${year}.`}
          </EmptyState>
        }
      >
        {(rows) => (
          <DataTable label={t`Owners`} columns={SELLERS} rows={rows} rowKey={({ user_id: id }) => id} />
        )}
      </Loaded>
      <Group gap="sm">
        {(
          [
            [
              'new',
              t`Report ${plural(count('new'), { one: '# owner', other: '# owners' })}`,
              count('new') > 0,
            ],
            ['correction', t`Correct what was reported`, true],
            ['nothing', t`Nothing to report`, count('new') + corrections + missing === 0],
          ] as const
        ).map(([kind, label, sensible]) => (
          <Button
            key={kind}
            variant={kind === 'new' ? 'filled' : 'default'}
            leftSection={<IconDownload size={18} aria-hidden />}
            disabled={!complete || !isOver || !sensible || sellers.isPending}
            loading={make.isPending && make.variables === kind}
            onClick={() => make.mutate(kind)}
          >
            {label}
          </Button>
        ))}
      </Group>
      <Text size="sm" c="dimmed">
        {isOver
          ? t`Each makes a file by the OECD’s schema, for the portal of your tax office. It holds tax numbers: delete it once it’s uploaded. Each download is in the staff log.`
          : t`A year is reported once it’s over, by the end of January.`}
      </Text>
    </SectionCard>
  )
}

const STATES: Record<Seller['state'], { label: string; color: string }> = {
  ready: { label: t`Details given`, color: 'herb' },
  missing: { label: t`Details missing`, color: 'beet' },
  abroad: { label: t`Lives outside the EU`, color: 'gray' },
  excluded: { label: t`Small seller, not reported`, color: 'gray' },
}
const CHANGES: Record<NonNullable<Seller['change']>, string> = {
  new: t`Not reported yet`,
  corrected: t`To be corrected`,
  deleted: t`To be taken back`,
}

const PARTS = [
  ['consideration', t`Earned`],
  ['fees', t`Fee`],
  ['activities', t`Paid months`],
] as const

const SELLERS: Column<Seller>[] = [
  {
    label: t`Owner`,
    as: 'title',
    cell: ({ user_id: id, name, is_closed: isClosed }) => (
      <PersonLink userId={id} name={isClosed || name === null ? GONE : name} staff />
    ),
  },
  ...[1, 2, 3, 4].map(
    (quarter): Column<Seller> => ({
      label: t`Quarter ${quarter}`,
      as: 'detail',
      brief: ({ activities }) => plural(activities, { one: '# paid month', other: '# paid months' }),
      number: true,
      cell: ({ figures }) =>
        PARTS.map(([part, name]) => (
          <Text key={part} size="sm" {...(part !== 'consideration' && { c: 'dimmed' })}>
            {part === 'consideration' ? null : `${name} `}
            {part === 'activities'
              ? figures.activities[quarter - 1]
              : formatMoney(figures[part][quarter - 1] ?? 0)}
          </Text>
        )),
    }),
  ),
  {
    label: t`Year`,
    as: 'amount',
    number: true,
    cell: ({ consideration }) => <Money amount={consideration} fw={600} />,
  },
  {
    label: t`State`,
    as: 'state',
    cell: ({ state, is_closed: isClosed, asked_at: askedAt, asked_times: times, change }) => (
      <Stack gap={2} align="flex-start">
        <Badge variant="light" color={STATES[state].color} tt="none">
          {STATES[state].label}
        </Badge>
        {state === 'missing' && (
          <Text size="sm" c="dimmed" component="div">
            {askedAt === null ? (
              isClosed ? (
                t`Can’t be asked any more`
              ) : (
                t`Asked tonight`
              )
            ) : (
              <Trans>
                Asked <RelativeDate date={askedAt} size="sm" />, in all {times ?? 0}×
              </Trans>
            )}
          </Text>
        )}
        {change && (
          <Text size="sm" c="dimmed">
            {CHANGES[change]}
          </Text>
        )}
      </Stack>
    ),
  },
]

const KINDS: Record<TaxReport['kind'], string> = {
  new: t`New owners`,
  correction: t`Correction`,
  nothing: t`Nothing to report`,
}

const REPORTS = t({ message: 'Reports', context: 'to the tax office' })

function Messages() {
  const reports = useQuery(taxReportsQuery)
  const [voiding, setVoiding] = useState<TaxReport | null>(null)
  const close = () => setVoiding(null)
  const download = useDownloadTaxReport()
  const cancel = useVoidTaxReport(close)
  const columns: Column<TaxReport>[] = [
    {
      label: t({ message: 'Report', context: 'to the tax office' }),
      as: 'title',
      cell: ({ year, kind, reference }) => (
        <div>
          <Text fw={600}>
            {year}: {KINDS[kind]}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {reference}
          </Text>
        </div>
      ),
    },
    { label: t`Owners`, as: 'detail', number: true, cell: ({ sellers }) => sellers },
    {
      label: t({ message: 'Made', context: 'a tax report' }),
      as: 'detail',
      cell: ({ made_at: at, created_by_name: by }) => (
        <Text size="sm" component="div">
          <Trans>
            <RelativeDate date={at} size="sm" /> by <bdi>{by ?? t`Unknown`}</bdi>
          </Trans>
        </Text>
      ),
    },
    {
      label: t`Actions`,
      as: 'actions',
      cell: (report) =>
        report.voided_at ? (
          <Text size="sm" c="dimmed">
            {t({ message: 'Void', context: 'a tax report' })}: {report.void_reason}
          </Text>
        ) : (
          <Group gap="xs" wrap="nowrap">
            <Button
              size="sm"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              loading={download.isPending && download.variables === report.id}
              onClick={() => download.mutate(report.id)}
            >
              {t`Download`}
            </Button>
            {report.may_void && (
              <Button size="sm" variant="default" onClick={() => setVoiding(report)}>
                {t({ message: 'Void', context: 'button' })}
              </Button>
            )}
          </Group>
        ),
    },
  ]
  return (
    <SectionCard titleId="reports-title" title={REPORTS}>
      <Loaded
        of={reports}
        rows={2}
        failed={FAILED}
        empty={<EmptyState title={t`No report yet`} order={3}>{t`Each one you make stays here.`}</EmptyState>}
      >
        {(rows) => <DataTable label={REPORTS} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </Loaded>
      {voiding && (
        <ReasonDialog
          title={t`Void this report`}
          label={t`Reason`}
          confirmLabel={t`Void report`}
          busy={cancel.isPending}
          onConfirm={(reason) => cancel.mutate({ id: voiding.id, reason })}
          onClose={close}
        >
          {t`Only if the tax office refused the whole file, or you never sent it: what it says is then reported again. Correct a file it accepted.`}
        </ReasonDialog>
      )}
    </SectionCard>
  )
}
