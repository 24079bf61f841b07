import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fullDate, fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { monthAsHeading, monthInWords, monthOf, shiftMonth } from '#domain/months.ts'
import { nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import { saveFile } from '#lib/save-file.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import classes from './MonthStatement.module.css'
import { type Statement, statementQuery } from './statement.queries.ts'
import { toStatementCsv } from './statement-csv.ts'

const COLUMNS: Column<Statement['movements'][number]>[] = [
  { label: t`Date`, as: 'detail', brief: ({ at }) => fullDay(at), cell: ({ at }) => fullDate(at) },
  { label: t`What`, as: 'detail', cell: ({ kind }) => nameOf(TRANSFER_KINDS, kind) },
  {
    label: t`For`,
    as: 'title',
    brief: ({ description }) => description,
    cell: ({ description, by }) => (
      <div style={{ overflowWrap: 'anywhere' }} dir="auto">
        {description}
        {by !== null && (
          <Text size="sm" c="dimmed">
            <Trans>
              by <bdi>{by}</bdi>
            </Trans>
          </Text>
        )}
      </div>
    ),
  },
  {
    label: t`Amount`,
    as: 'amount',
    number: true,
    cell: ({ amount }) => `${amount > 0 ? '+' : '−'}${formatMoney(Math.abs(amount))}`,
  },
  { label: t`Balance`, as: 'state', number: true, cell: ({ balance }) => <Money amount={balance} /> },
]

interface MonthStatementProps {
  userId: string
  /** YYYY-MM. */
  month: string
  onMonth: (month: string) => void
}

/** The wallet's monthly statement: opening balance, every movement, closing balance. */
export function MonthStatement({ userId, month, onMonth }: MonthStatementProps) {
  const statement = useQuery(statementQuery(userId, month))
  const latest = monthOf(new Date(useNow()))
  const first = statement.data?.firstAt ? monthOf(new Date(statement.data.firstAt)) : month
  const title = monthInWords(month)
  return (
    <SurfaceCard component="section" aria-labelledby="statement-title">
      <Stack gap="md">
        <Group justify="space-between" wrap="nowrap">
          <Step
            to={t`Earlier month`}
            Arrow={IconChevronLeft}
            disabled={month <= first}
            onStep={() => onMonth(shiftMonth(month, -1))}
          />
          <Title order={2} id="statement-title" ta="center" miw={0} style={{ overflowWrap: 'anywhere' }}>
            {monthAsHeading(month)}
          </Title>
          <Step
            to={t`Later month`}
            Arrow={IconChevronRight}
            disabled={month >= latest}
            onStep={() => onMonth(shiftMonth(month, 1))}
          />
        </Group>
        <Loaded of={statement} pending={<RowsSkeleton rows={5} />} failed={t`Failed to load the statement`}>
          {(data) => (
            <>
              <Movements title={title} {...data} />
              <Group gap="sm" className={classes.tools}>
                <Button
                  variant="default"
                  leftSection={<IconDownload size={18} aria-hidden />}
                  onClick={() => saveFile(`potluck-${month}.csv`, 'text/csv', toStatementCsv(data))}
                >
                  {t`Save as CSV`}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconPrinter size={18} aria-hidden />}
                  onClick={() => window.print()}
                >
                  {t`Print`}
                </Button>
              </Group>
            </>
          )}
        </Loaded>
      </Stack>
    </SurfaceCard>
  )
}

function Movements({ title, opening, closing, movements }: Statement & { title: string }) {
  return (
    <>
      <Balance label={t`Opening balance`} amount={opening} />
      {movements.length === 0 ? (
        <Text c="dimmed">
          <Trans>No transactions in {title}.</Trans>
        </Text>
      ) : (
        <DataTable
          label={t`Movements in ${title}`}
          columns={COLUMNS}
          rows={movements}
          rowKey={({ at, balance }) => `${at} ${balance}`}
        />
      )}
      <Balance label={t`Closing balance`} amount={closing} />
    </>
  )
}

function Balance({ label, amount }: { label: string; amount: number }) {
  return (
    <Group justify="space-between" className={classes.balance}>
      <Text fw={650}>{label}</Text>
      <Money amount={amount} fw={650} />
    </Group>
  )
}

interface StepProps {
  to: string
  Arrow: typeof IconChevronLeft
  disabled: boolean
  onStep: () => void
}

function Step({ to, Arrow, disabled, onStep }: StepProps) {
  return (
    <ActionIcon
      size={44}
      variant="default"
      aria-label={to}
      disabled={disabled}
      onClick={onStep}
      className={classes.tools}
    >
      <Arrow size={20} aria-hidden />
    </ActionIcon>
  )
}
