import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { listOf } from '#domain/lists.ts'
import { formatMoney } from '#domain/money.ts'
import { claimsFrom, type ExampleShare } from '#domain/showcase.ts'
import basics from './basics.module.css'
import classes from './Statistics.module.css'

const figures = [
  { figure: t`80%`, meaning: t`average savings` },
  { figure: t`€250+`, meaning: t`yearly savings` },
  { figure: t`5 min`, meaning: t`setup` },
]

interface StatisticsProps {
  /** The plans from which the figures are computed. */
  shares: readonly ExampleShare[]
}

/** Figures about the savings of sharing, with an explanation of how they are computed. */
export function Statistics({ shares }: StatisticsProps) {
  const { percent, yearly, pair } = claimsFrom(shares)
  return (
    <section className={classes.band} aria-label={t`In figures`}>
      <div className={basics.container}>
        <dl className={classes.figures}>
          {figures.map(({ figure, meaning }) => (
            <div key={meaning} className={classes.one}>
              <dt>{meaning}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
        {pair.length > 0 && (
          <p className={classes.source}>
            <Trans>
              At list prices, with every place taken and paid directly: {percent}% less on average across{' '}
              {shares.length} plans, {formatMoney(yearly)} a year less for {listOf(pair, 'conjunction')}.
            </Trans>
          </p>
        )}
      </div>
    </section>
  )
}
