import { t } from '@lingui/core/macro'
import { Table } from '@mantine/core'
import { fullDay } from '#domain/dates.ts'
import classes from './StepChart.module.css'
import { useNow } from './use-now.ts'

interface Step {
  /** ISO timestamp. */
  since: string
  value: number
}

interface StepChartProps {
  label: string
  /** Each series begins with its first step. `color` is one of the theme's. */
  series: readonly { name: string; color: string; steps: readonly Step[] }[]
  write: (value: number) => string
}

/** A chart of values over time, each constant until its next step, with a collapsed table of the same values. */
export function StepChart({ label, series, write }: StepChartProps) {
  const now = useNow()
  const steps = series.flatMap((one) => one.steps)
  const first = Math.min(...steps.map(({ since }) => Date.parse(since)))
  const most = Math.max(...steps.map(({ value }) => value), 0.01)
  const x = (since: string) => (100 * (Date.parse(since) - first)) / Math.max(now - first, 1)
  const y = (value: number) => 100 - (90 * value) / most
  const path = (of: readonly Step[]) =>
    of.map(({ since, value }, n) => (n === 0 ? `M${x(since)} ${y(value)}` : `H${x(since)}V${y(value)}`))
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.keys}>
        {series.map(({ name, color, steps: of }, n) => (
          <span key={name} data-line={n} style={{ color: `var(--mantine-color-${color}-filled)` }}>
            <span>
              {name} {write(of.at(-1)?.value ?? 0)}
            </span>
          </span>
        ))}
      </figcaption>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        aria-hidden="true"
        className={classes.plot}
        data-chart
      >
        {series.map(({ name, color, steps: of }, n) => (
          <path
            key={name}
            d={`${path(of).join('')}H100`}
            data-line={n}
            style={{ stroke: `var(--mantine-color-${color}-filled)` }}
          />
        ))}
      </svg>
      <div className={classes.ends}>
        <span>{fullDay(new Date(first).toISOString())}</span>
        <span>{t`Today`}</span>
      </div>
      <details className={classes.table}>
        <summary>{t`As a table`}</summary>
        <Table aria-label={label} withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`From`}</Table.Th>
              <Table.Th>{t`What`}</Table.Th>
              <Table.Th ta="end">{t`Price`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {series.flatMap(({ name, steps: of }) =>
              of.map(({ since, value }) => (
                <Table.Tr key={name + since}>
                  <Table.Td>{fullDay(since)}</Table.Td>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ta="end">{write(value)}</Table.Td>
                </Table.Tr>
              )),
            )}
          </Table.Tbody>
        </Table>
      </details>
    </figure>
  )
}
