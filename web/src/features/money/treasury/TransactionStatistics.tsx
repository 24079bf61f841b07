import { plural, t } from '@lingui/core/macro'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { transactionStatisticsQuery } from './figures.queries.ts'
import { TRANSACTION_TYPES } from './transaction-types.ts'
import { treasuryTexts } from './treasury.messages.ts'
import type { TimeRange } from './treasury.queries.ts'

const DIRECTIONS = ['earned', 'spent', 'withdrawn', 'refunded'] as const

/** Coins moved in a period, by direction, in one line. */
export function TransactionStatistics({ range }: { range: TimeRange }) {
  return (
    <Loaded of={useQuery(transactionStatisticsQuery)} failed={treasuryTexts.figuresFailed}>
      {(rows) =>
        rows
          .filter(({ period }) => period === range)
          .map(({ transactions, ...sums }) => (
            <Group
              key={range}
              role="group"
              aria-label={t`Transaction statistics`}
              gap="4px var(--mantine-spacing-md)"
              mb="md"
            >
              <Text span size="sm" c="dimmed">
                {plural(transactions, { one: '# transaction', other: '# transactions' })}
              </Text>
              {DIRECTIONS.map((direction) => (
                <Text key={direction} span size="sm">
                  <Text span inherit c="dimmed">
                    {TRANSACTION_TYPES[direction].label}
                  </Text>{' '}
                  <Money amount={sums[direction]} fw={600} />
                </Text>
              ))}
            </Group>
          ))
      }
    </Loaded>
  )
}
