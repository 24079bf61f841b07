import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Table, Text, Title } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import type { Year } from './year.queries.ts'

/** The figures of a person's year that are reported to the tax office. */
export function ReportedYear({ year, reported }: { year: number; reported: NonNullable<Year['reported']> }) {
  const { consideration, fees, activities, state } = reported
  return (
    <div>
      <Title order={3} size="h4">{t`What we report to the tax office`}</Title>
      <Table aria-label={t`Reported to the tax office for ${year}`} mt={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t`Quarter`}</Table.Th>
            <Table.Th scope="col" ta="end">{t`Paid months`}</Table.Th>
            <Table.Th scope="col" ta="end">{t`Fee`}</Table.Th>
            <Table.Th scope="col" ta="end">{t`Earned`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[1, 2, 3, 4].map((quarter) => (
            <Table.Tr key={quarter}>
              <Table.Th scope="row" fw={400}>
                {quarter}
              </Table.Th>
              <Table.Td ta="end">{activities[quarter - 1]}</Table.Td>
              <Table.Td ta="end">{formatMoney(fees[quarter - 1] ?? 0)}</Table.Td>
              <Table.Td ta="end">{formatMoney(consideration[quarter - 1] ?? 0)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="xs">
        <Trans>
          Quarters are those of our books and can begin some hours before or after yours. The report has whole
          euros, and your tax details.
        </Trans>
        {state === 'abroad' && ` ${t`As you live outside the EU, it isn’t sent.`}`}
        {state === 'missing' && ` ${t`Your tax details are still missing.`}`}
      </Text>
    </div>
  )
}
