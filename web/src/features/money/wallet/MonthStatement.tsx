import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { monthInWords, monthOf, shiftMonth } from '#domain/months.ts'
import { nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import { saveFile } from '#lib/save-file.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { Money } from '#ui/Money.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import classes from './MonthStatement.module.css'
import { type Statement, statementQuery } from './statement.queries.ts'
import { toStatementCsv } from './statement-csv.ts'

const COLUMNS = [
  { label: 'Date' },
  { label: 'What' },
  { label: 'For' },
  { label: 'Amount', number: true },
  { label: 'Balance', number: true },
]

interface MonthStatementProps {
  userId: string
  /** YYYY-MM. */
  month: string
  onMonth: (month: string) => void
}

/** What was in the wallet when a month began, everything that moved, and what was left. */
export function MonthStatement({ userId, month, onMonth }: MonthStatementProps) {
  const { data, error, isPending, refetch } = useQuery(statementQuery(userId, month))
  const latest = monthOf(new Date(useNow()))
  const first = data?.firstAt ? monthOf(new Date(data.firstAt)) : month
  const title = monthInWords(month)
  return (
    <SurfaceCard component="section" aria-labelledby="statement-title">
      <Stack gap="md">
        <Group justify="space-between" wrap="nowrap">
          <Step to="Earlier month" disabled={month <= first} onStep={() => onMonth(shiftMonth(month, -1))} />
          <Title order={2} id="statement-title" ta="center">
            {title}
          </Title>
          <Step to="Later month" disabled={month >= latest} onStep={() => onMonth(shiftMonth(month, 1))} />
        </Group>
        {isPending && <RowsSkeleton rows={5} />}
        {!data && error && (
          <LoadAlert title="Failed to load the statement" problem={error} onRetry={() => void refetch()} />
        )}
        {data && <Movements title={title} statement={data} />}
        {data && (
          <Group gap="sm" className={classes.tools}>
            <Button
              variant="default"
              leftSection={<IconDownload size={18} aria-hidden />}
              onClick={() => saveFile(`potluck-${month}.csv`, 'text/csv', toStatementCsv(data))}
            >
              Save as CSV
            </Button>
            <Button
              variant="default"
              leftSection={<IconPrinter size={18} aria-hidden />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          </Group>
        )}
      </Stack>
    </SurfaceCard>
  )
}

function Movements({ title, statement }: { title: string; statement: Statement }) {
  const { opening, closing, movements } = statement
  return (
    <>
      <Balance label="Opening balance" amount={opening} />
      {movements.length === 0 ? (
        <Text c="dimmed">Nothing moved in {title}.</Text>
      ) : (
        <StackTable label={`Movements in ${title}`} columns={COLUMNS}>
          {movements.map(({ at, kind, description, by, amount, balance }) => (
            <StackRow key={`${at} ${balance}`}>
              <StackCell label="Date">{fullDate(at)}</StackCell>
              <StackCell label="What">{nameOf(TRANSFER_KINDS, kind)}</StackCell>
              <StackCell label="For">
                <div style={{ overflowWrap: 'anywhere' }} dir="auto">
                  {description}
                  {by !== null && (
                    <Text size="sm" c="dimmed">
                      by <bdi>{by}</bdi>
                    </Text>
                  )}
                </div>
              </StackCell>
              <StackCell label="Amount" number>
                {amount > 0 ? '+' : '−'}
                {formatMoney(Math.abs(amount))}
              </StackCell>
              <StackCell label="Balance" number>
                <Money amount={balance} />
              </StackCell>
            </StackRow>
          ))}
        </StackTable>
      )}
      <Balance label="Closing balance" amount={closing} />
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

function Step({ to, disabled, onStep }: { to: string; disabled: boolean; onStep: () => void }) {
  const Arrow = to.startsWith('Earlier') ? IconChevronLeft : IconChevronRight
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
