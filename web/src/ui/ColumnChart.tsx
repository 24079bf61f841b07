import { t } from '@lingui/core/macro'
import { listOf } from '#domain/lists.ts'
import classes from './ColumnChart.module.css'

interface ColumnChartProps {
  label: string
  /** The labels of the columns, for instance days, oldest first. */
  points: readonly string[]
  unit: 'day' | 'week' | 'month'
  /** One number for each point. `color` is one of the theme's. */
  series: readonly { name: string; color: string; numbers: readonly number[] }[]
  write: (number: number) => string
  /** True if the numbers are levels at a point in time, which must not be added up. */
  isLevel?: boolean
}

const HEIGHT = 100

const atMost = (most: string, unit: ColumnChartProps['unit']) =>
  ({ day: t`at most ${most} a day`, week: t`at most ${most} a week`, month: t`at most ${most} a month` })[
    unit
  ]

/** A column for each point and series, side by side, from zero to the largest number. */
export function ColumnChart({ label, points, unit, series, write, isLevel = false }: ColumnChartProps) {
  const most = Math.max(...series.flatMap(({ numbers }) => numbers), 0)
  const slot = series.length + 1
  const inAll = (numbers: readonly number[]) =>
    write(isLevel ? (numbers.at(-1) ?? 0) : numbers.reduce((a, b) => a + b, 0))
  const sums = series.map(({ name, numbers }) => `${name} ${inAll(numbers)}`)
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <strong>{label}</strong>
        {series.map(({ name, color }, n) => (
          <span
            key={name}
            className={classes.key}
            data-line={n}
            style={{ color: `var(--mantine-color-${color}-filled)` }}
          >
            <span>{sums[n]}</span>
          </span>
        ))}
      </figcaption>
      <div className={classes.plot}>
        <span className={classes.most}>{write(most)}</span>
        <svg
          role="img"
          aria-label={`${label}: ${listOf(sums)}; ${atMost(write(most), unit)}`}
          viewBox={`0 0 ${points.length * slot} ${HEIGHT}`}
          preserveAspectRatio="none"
          className={classes.columns}
        >
          {points.map((point, place) => (
            <g key={point}>
              <title>
                {listOf([point, ...series.map((one) => `${one.name} ${write(one.numbers[place] ?? 0)}`)])}
              </title>
              <rect x={place * slot} width={slot} height={HEIGHT} fill="transparent" />
              {series.map(({ name, color, numbers }, beside) => {
                const height = most > 0 ? (Math.max(numbers[place] ?? 0, 0) / most) * HEIGHT : 0
                const x = place * slot + 0.5 + beside
                return (
                  <rect
                    key={name}
                    x={x}
                    y={HEIGHT - height}
                    width={0.9}
                    height={height}
                    data-line={beside}
                    style={{ color: `var(--mantine-color-${color}-filled)` }}
                  />
                )
              })}
            </g>
          ))}
        </svg>
        <span className={classes.ends}>
          <span>{points.length > 1 && points[0]}</span>
          <span>{points.at(-1)}</span>
        </span>
      </div>
    </figure>
  )
}
