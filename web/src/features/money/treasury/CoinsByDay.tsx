import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { ColumnChart } from '#ui/ColumnChart.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { coinsByDayQuery } from './figures.queries.ts'
import { treasuryTexts } from './treasury.messages.ts'

const SERIES = {
  earned: { name: t`Earned`, color: 'herb' },
  withdrawn: { name: t`Withdrawn`, color: 'clay' },
} as const

/** A chart of coins moved per day. */
export function CoinsByDay({ label, of }: { label: string; of: readonly (keyof typeof SERIES)[] }) {
  return (
    <Loaded of={useQuery(coinsByDayQuery)} failed={treasuryTexts.figuresFailed}>
      {(days) => (
        <SurfaceCard>
          <ColumnChart
            label={label}
            unit="day"
            points={days.map(({ day }) => fullDate(day))}
            write={formatMoney}
            series={of.map((kind) => ({ ...SERIES[kind], numbers: days.map((day) => day[kind]) }))}
          />
        </SurfaceCard>
      )}
    </Loaded>
  )
}
