import { plural, t } from '@lingui/core/macro'
import { Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#domain/money.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import classes from './CostNote.module.css'
import { paymentTexts } from './payments.messages.ts'
import { type Quote, quoteQuery } from './seats.queries.ts'

interface CostNoteProps extends Omit<CostSumProps, 'quote'> {
  planId: string
}

/** {@link CostSum} for a person about to request a place. */
export function CostNote({ planId, ...rest }: CostNoteProps) {
  return (
    <Loaded
      of={useQuery(quoteQuery(planId))}
      pending={<RowsSkeleton rows={2} />}
      failed={paymentTexts.quoteFailed}
    >
      {(quote) => <CostSum quote={quote} {...rest} />}
    </Loaded>
  )
}

interface CostSumProps {
  quote: Pick<Quote, 'settlement' | 'share' | 'fee' | 'sum' | 'instalments'>
  ownerName: string
  /** The person joins without waiting for approval. */
  atOnce?: boolean
}

/** The monthly cost of a place: who receives it, when it is due, and that members can leave at any time. */
export function CostSum({ quote, ownerName, atOnce = false }: CostSumProps) {
  const direct = quote.settlement === 'direct'
  return (
    <Stack gap="xs" component="section" aria-label={t`What it costs`} className={classes.panel}>
      <dl className={classes.sum}>
        <Line label={t`Share, to ${ownerName}`} amount={quote.share} />
        <Line label={t`Fee`} amount={quote.fee} />
        <Line label={t`Each month`} amount={quote.sum} strong />
      </dl>
      {quote.instalments && <Text size="sm">{instalmentsText(quote.instalments)}</Text>}
      <Text size="sm">
        {direct
          ? t`You pay ${ownerName} directly once approved, then on the same day each month. No fee.`
          : atOnce
            ? t`Charged when you join, then every month.`
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

/** The twelve monthly sums of a yearly price, which may differ by a cent. */
function instalmentsText(instalments: NonNullable<Quote['instalments']>): string {
  const year = instalments.reduce((cents, sum) => cents + Math.round(sum * 100), 0) / 100
  const [least, most] = [Math.min(...instalments), Math.max(...instalments)]
  const each = least === most ? formatMoney(most) : t`${formatMoney(least)} or ${formatMoney(most)}`
  return t`${formatMoney(year)} a year, in 12 monthly payments of ${each}.`
}
