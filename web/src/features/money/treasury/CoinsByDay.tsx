import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { ColumnChart } from '#ui/ColumnChart.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { coinsByDayQuery } from './figures.queries.ts'
import { treasuryTexts } from './treasury.messages.ts'

const SERIES = {
  earned: { name: 'Earned', color: 'herb' },
  withdrawn: { name: 'Withdrawn', color: 'clay' },
} as const

/** What was earned or withdrawn, day by day. */
export function CoinsByDay({ label, of }: { label: string; of: readonly (keyof typeof SERIES)[] }) {
  const { data: days, error, refetch } = useQuery(coinsByDayQuery)
  if (error && !days)
    return <LoadAlert title={treasuryTexts.figuresFailed} problem={error} onRetry={() => void refetch()} />
  if (!days) return <RowsSkeleton />
  return (
    <SurfaceCard>
      <ColumnChart
        label={label}
        unit="day"
        points={days.map(({ day }) => fullDate(day))}
        write={formatMoney}
        series={of.map((kind) => ({ ...SERIES[kind], numbers: days.map((day) => day[kind]) }))}
      />
    </SurfaceCard>
  )
}
