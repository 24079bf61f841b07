import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import type { Saving } from '#domain/savings.ts'
import { Money } from '#ui/Money.tsx'
import classes from './BeforeAfter.module.css'

interface BeforeAfterProps {
  saving: Saving
  currency?: string
}

/** The monthly price alone and shared, as figures and as bars in proportion. */
export function BeforeAfter({ saving: { alone, shared }, currency = 'EUR' }: BeforeAfterProps) {
  const most = Math.max(alone, shared)
  return (
    <dl className={classes.pair}>
      {[
        { name: t`Before, alone`, amount: alone, side: 'before' },
        { name: t`After, shared`, amount: shared, side: 'after' },
      ].map(({ name, amount, side }) => (
        <div key={side} className={classes.side} data-side={side}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <dd className={classes.amount}>
            <Money amount={amount} currency={currency} per={t`/ month`} fw={650} />
          </dd>
          <div
            className={classes.bar}
            data-bar="full"
            style={{ inlineSize: most > 0 ? `${(amount / most) * 100}%` : 0 }}
            aria-hidden
          />
        </div>
      ))}
    </dl>
  )
}
