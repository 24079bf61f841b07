import { plural, t } from '@lingui/core/macro'
import { Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { formatMoney } from '#domain/money.ts'
import { type Cost, priceText } from '#domain/pay-button.ts'
import classes from './CostSum.module.css'

interface CostSumProps {
  quote: Cost & { share: number; fee: number }
  ownerName: string
}

/** Who receives the monthly cost of a place and when it is due, and that members can leave at any time. */
export function CostSum({ quote, ownerName }: CostSumProps) {
  const direct = quote.settlement === 'direct'
  return (
    <Stack gap="xs" component="section" aria-label={t`What it costs`} className={classes.panel}>
      {quote.fee > 0 && (
        <dl className={classes.sum}>
          <Line label={t`Share, to ${ownerName}`} amount={quote.share} />
          <Line label={t`Fee`} amount={quote.fee} />
          <Line label={t`Each month`} amount={quote.sum} strong />
        </dl>
      )}
      {(quote.instalments || quote.first !== null) && <Text size="sm">{priceText(quote)}.</Text>}
      <Text size="sm">
        {quote.cycleMonths !== null
          ? t`You pay ${ownerName} directly once approved, then on the same days as everybody in the plan. No fee.`
          : direct
            ? t`You pay ${ownerName} directly once approved, then on the same day each month. No fee.`
            : t`Charged when ${ownerName} approves, then every month.`}{' '}
        {!direct &&
          plural(LIMITS.renewalNoticeHours / 24, {
            one: 'We tell you # day before each charge.',
            other: 'We tell you # days before each charge.',
          })}
      </Text>
      <Text size="sm">{t`Leave at any time.`}</Text>
    </Stack>
  )
}

function Line({ label, amount, strong = false }: { label: string; amount: number; strong?: boolean }) {
  return (
    <div data-strong={strong || undefined}>
      <dt>{label}</dt>
      <dd>{formatMoney(amount)}</dd>
    </div>
  )
}
