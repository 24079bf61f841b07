import { fullDate } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import classes from './DayChart.module.css'

interface DayChartProps {
  label: string
  /** ISO dates, the oldest first. */
  days: readonly string[]
  /** Amounts in EUR, one for each day. `color` is one of the theme's. */
  series: readonly { name: string; color: string; amounts: readonly number[] }[]
}

const HEIGHT = 100

/** A column for each day and series, side by side, from zero to the greatest amount there is. */
export function DayChart({ label, days, series }: DayChartProps) {
  const most = Math.max(...series.flatMap(({ amounts }) => amounts), 0)
  const slot = series.length + 1
  const sums = series.map(({ name, amounts }) => `${name} ${formatMoney(amounts.reduce((a, b) => a + b, 0))}`)
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <strong>{label}</strong>
        {series.map(({ name, color }) => (
          <span key={name} className={classes.key} style={{ color: `var(--mantine-color-${color}-filled)` }}>
            <span>{name}</span>
          </span>
        ))}
      </figcaption>
      <div className={classes.plot}>
        <span className={classes.most}>{formatMoney(most)}</span>
        <svg
          role="img"
          aria-label={`${label}: ${sums.join(', ')}; at most ${formatMoney(most)} a day`}
          viewBox={`0 0 ${days.length * slot} ${HEIGHT}`}
          preserveAspectRatio="none"
          className={classes.columns}
        >
          {days.map((day, place) => (
            <g key={day}>
              <title>
                {[
                  fullDate(day),
                  ...series.map((one) => `${one.name} ${formatMoney(one.amounts[place])}`),
                ].join(', ')}
              </title>
              <rect x={place * slot} width={slot} height={HEIGHT} fill="transparent" />
              {series.map(({ name, color, amounts }, beside) => {
                const height = most > 0 ? ((amounts[place] ?? 0) / most) * HEIGHT : 0
                const x = place * slot + 0.5 + beside
                const fill = `var(--mantine-color-${color}-filled)`
                return <rect key={name} x={x} y={HEIGHT - height} width={0.9} height={height} fill={fill} />
              })}
            </g>
          ))}
        </svg>
        <span className={classes.ends}>
          <span>{days[0] && fullDate(days[0])}</span>
          <span>{fullDate(days.at(-1) ?? '')}</span>
        </span>
      </div>
    </figure>
  )
}
