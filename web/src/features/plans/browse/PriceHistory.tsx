import { t } from '@lingui/core/macro'
import { Card, Title } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import { StepChart } from '#ui/StepChart.tsx'
import type { OfferPage } from './market.queries.ts'

/** A chart of past prices of a place and of the plan alone; renders nothing if neither has changed. */
export function PriceHistory({ offer: { prices, currency } }: { offer: OfferPage }) {
  const series = [
    { name: t`This plan`, color: 'clay', steps: prices.place },
    { name: t`Alone`, color: 'herb', steps: prices.alone },
  ].filter(({ steps }) => steps.length > 0)
  if (series.every(({ steps }) => steps.length < 2)) return null
  return (
    <Card component="section" aria-labelledby="prices">
      <Title order={2} size="h4" id="prices" mb="sm">
        {t`Price per month`}
      </Title>
      <StepChart
        label={t`Price per month`}
        series={series.map(({ steps, ...one }) => ({
          ...one,
          steps: steps.map(({ since, cost }) => ({ since, value: cost })),
        }))}
        write={(value) => formatMoney(value, currency)}
      />
    </Card>
  )
}
