import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatMoney } from '#domain/money.ts'
import { planName } from '#domain/plan-name.ts'
import { addUpSavings, EXAMPLE_GOAL, type ExampleShare } from '#domain/showcase.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import basics from './basics.module.css'
import { peopleText } from './parts.ts'
import classes from './SavingsTeaser.module.css'

/** The number of plans in the example. */
const COUNTED = 3

interface SavingsTeaserProps {
  /** Well-known plans; the first few are the example. */
  shares: ExampleShare[]
}

/** Shows how much sharing some real plans would save at catalogue prices, marked as an example. */
export function SavingsTeaser({ shares }: SavingsTeaserProps) {
  const counted = shares.slice(0, COUNTED)
  const { monthly, yearly, others, percent } = addUpSavings(counted)
  if (shares.length === 0) return null

  return (
    <section className={classes.section} aria-labelledby="potential-savings" data-teaser>
      <div className={basics.container}>
        <h2 id="potential-savings" className={basics.title}>
          {t`Potential Savings`}
        </h2>
        <p className={`${basics.note} ${basics.intro}`}>{t`An example at today’s list prices.`}</p>
        <div className={classes.cards}>
          <ExampleCard title={t`Monthly Savings`} figure={formatMoney(monthly)} sum="monthly">
            <ul className={classes.shares}>
              {counted.map(({ provider, plan, alone, shared }) => (
                <li key={provider} className={classes.share} data-share={provider}>
                  <ProviderLogo provider={provider} size="sm" />
                  <span className={classes.service}>
                    {provider}
                    <small data-plan>{planName(plan)}</small>
                  </span>
                  <s data-alone>{formatMoney(alone)}</s>
                  <b data-shared>{formatMoney(shared)}</b>
                </li>
              ))}
            </ul>
          </ExampleCard>
          <ExampleCard title={t`Shared With`} figure={peopleText(others)} sum="people">
            <div className={classes.people} aria-hidden="true" data-others>
              {Array.from({ length: others }, (_, place) => place).map((place) => (
                <span key={place} />
              ))}
            </div>
          </ExampleCard>
          <ExampleCard title={t`Total Saved This Year`} figure={formatMoney(yearly)} sum="yearly">
            <progress
              className={classes.progress}
              max={100}
              value={Math.min(100, percent)}
              aria-label={t`Progress towards the goal`}
            />
            <p className={`${basics.small} ${classes.goal}`}>
              <span className={basics.note}>
                <Trans>
                  <span data-sum="percent">{percent}</span>% of the goal
                </Trans>
              </span>
              <b>
                <Trans>Goal {formatMoney(EXAMPLE_GOAL)}</Trans>
              </b>
            </p>
          </ExampleCard>
        </div>
      </div>
    </section>
  )
}

interface ExampleCardProps {
  title: string
  figure: string
  /** The name by which the page's script updates the figure. */
  sum: string
  children: ReactNode
}

function ExampleCard({ title, figure, sum, children }: ExampleCardProps) {
  return (
    <article className={classes.card}>
      <h3 className={basics.name}>{title}</h3>
      <p className={classes.figure} data-sum={sum}>
        {figure}
      </p>
      {children}
    </article>
  )
}
