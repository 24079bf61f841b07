import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Select, Stack, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { formatMoney } from '#domain/money.ts'
import { useChange } from '#lib/change.ts'
import { callDocuments } from '#lib/documents.ts'
import { answerOf } from '#lib/errors.ts'
import { language } from '#lib/language.ts'
import { lazyPart } from '#lib/online.ts'
import { saveFile } from '#lib/save-file.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { toastError } from '#ui/toasts.ts'
import { useNow } from '#ui/use-now.ts'
import { type Year, yearQuery } from './year.queries.ts'
import { ACCOUNTS, kindOf, toYearCsv } from './year-csv.ts'

const ReportedYear = lazyPart(async () => (await import('./ReportedYear.tsx')).ReportedYear)

interface YearStatementProps {
  userId: string
  year: number
  onYear: (year: number) => void
}

/** A person's yearly statement, by account and by kind, with downloads. */
export function YearStatement({ userId, year, onYear }: YearStatementProps) {
  const statement = useQuery(yearQuery(userId, year))
  const paper = usePaper(year)
  const latest = new Date(useNow()).getFullYear()
  const since = Math.min(statement.data?.since ?? latest, year)
  const years = Array.from({ length: latest - since + 1 }, (_, back) => String(latest - back))
  return (
    <SurfaceCard component="section" aria-labelledby="year-title">
      <Stack gap="md">
        <Group justify="space-between" align="flex-end">
          <div>
            <Title order={2} id="year-title">
              <Trans>The year {year}</Trans>
            </Title>
            <Text c="dimmed">{t`For your records and your taxes: what you paid and what you were paid`}</Text>
          </div>
          <Select
            label={t`Year`}
            data={years}
            value={String(year)}
            allowDeselect={false}
            w={120}
            onChange={(chosen) => chosen && onYear(Number(chosen))}
          />
        </Group>
        <Loaded of={statement} pending={<RowsSkeleton rows={4} />} failed={t`Failed to load the year`}>
          {(data) => (
            <>
              <Sums year={data} />
              <Suspense>{data.reported && <ReportedYear year={year} reported={data.reported} />}</Suspense>
              <Group gap="sm">
                <Button
                  variant="default"
                  leftSection={<IconDownload size={18} aria-hidden />}
                  disabled={data.rows.length === 0}
                  loading={paper.isPending}
                  onClick={() => paper.mutate()}
                >
                  {t`Save ${year} as PDF`}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconDownload size={18} aria-hidden />}
                  disabled={data.rows.length === 0}
                  onClick={() => saveFile(`potluck-${year}.csv`, 'text/csv', toYearCsv(data))}
                >
                  {t`Save ${year} as CSV`}
                </Button>
              </Group>
              <Text size="sm" c="dimmed">
                <Trans>
                  Days are those of {data.zone}. What is between you and somebody you pay directly is as you
                  both have said. This is a list, not tax advice.
                </Trans>
              </Text>
            </>
          )}
        </Loaded>
      </Stack>
    </SurfaceCard>
  )
}

const usePaper = (year: number) =>
  useChange({
    run: async () =>
      saveFile(
        `potluck-${year}.pdf`,
        'application/pdf',
        await callDocuments('statement', { year, language }),
      ),
    failed: (problem) => toastError(t`Error`, answerOf(problem, t`The PDF could not be made`)),
  })

const signed = (amount: number, currency: string) =>
  `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${formatMoney(Math.abs(amount), currency)}`

function Sums({ year: { year, accounts, sums } }: { year: Year }) {
  if (accounts.length === 0)
    return (
      <Text c="dimmed">
        <Trans>Nothing moved in {year}.</Trans>
      </Text>
    )
  return accounts.map(({ account, currency, opening, closing, moved }) => (
    <div key={`${account} ${currency}`}>
      <Group justify="space-between">
        <Title order={3} size="h4">
          {ACCOUNTS[account]}
        </Title>
        <Text fw={650}>{signed(moved, currency)}</Text>
      </Group>
      {opening !== null && closing !== null && (
        <Text size="sm" c="dimmed">
          <Trans>
            {formatMoney(opening)} before, {formatMoney(closing)} after
          </Trans>
        </Text>
      )}
      <Table
        aria-label={
          currency === 'EUR'
            ? t`${ACCOUNTS[account]} in ${year}`
            : t`${ACCOUNTS[account]} in ${year}, ${currency}`
        }
        mt={4}
      >
        <Table.Tbody>
          {sums
            .filter((sum) => sum.account === account && sum.currency === currency)
            .map((sum) => (
              <Table.Tr key={`${sum.kind} ${sum.part}`}>
                <Table.Th scope="row" fw={400}>
                  {kindOf(sum)}
                </Table.Th>
                <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
                  {signed(sum.amount, currency)}
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </div>
  ))
}
