import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatMoney } from '#domain/money.ts'
import { planName } from '#domain/plan-name.ts'
import { addUpSavings, EXAMPLE_GOAL, type ExampleShare } from '#domain/showcase.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import basics from './basics.module.css'
import { peopleText, startCalculator } from './calculator.ts'
import classes from './SavingsTeaser.module.css'

/** The number of services that are selected initially. */
const CHOSEN = 3

interface SavingsTeaserProps {
  /** The plans to choose from; the first few are selected initially. */
  shares: ExampleShare[]
}

/** Shows how much sharing some real plans would save at catalogue prices, marked as an example. */
export function SavingsTeaser({ shares }: SavingsTeaserProps) {
  const teaser = useRef<HTMLElement>(null)
  useEffect(() => {
    if (shares.length > 0 && teaser.current) return startCalculator(teaser.current)
  }, [shares])
  const { monthly, yearly, others, percent } = addUpSavings(shares.slice(0, CHOSEN))
  const most = addUpSavings(shares).others
  if (shares.length === 0) return null

  return (
    <section ref={teaser} className={classes.section} aria-labelledby="potential-savings" data-teaser>
      <div className={basics.container}>
        <h2 id="potential-savings" className={basics.title}>
          {t`Potential Savings`}
        </h2>
        <p className={`${basics.note} ${basics.intro}`}>
          <Trans>
            <span className={classes.choose}>Choose what you’d share. </span>An example at today’s list
            prices.
          </Trans>
        </p>
        <fieldset aria-label={t`Services to share`} className={classes.choices}>
          {shares.map(({ provider, people, alone, shared }, place) => (
            <label key={provider}>
              <input
                type="checkbox"
                className={basics.spoken}
                defaultChecked={place < CHOSEN}
                value={provider}
                data-people={people}
                data-alone={alone}
                data-shared={shared}
              />
              <span className={classes.choice}>
                <IconCheck size={14} stroke={3} aria-hidden />
                {provider}
              </span>
            </label>
          ))}
        </fieldset>
        <div className={classes.cards}>
          <ExampleCard title={t`Monthly Savings`} figure={formatMoney(monthly)} sum="monthly">
            <ul className={classes.shares}>
              {shares.map(({ provider, plan, alone, shared }, place) => (
                <li key={provider} className={classes.share} hidden={place >= CHOSEN} data-share={provider}>
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
            <p className={`${basics.note} ${basics.small}`} hidden data-none>
              {t`Nothing chosen yet.`}
            </p>
          </ExampleCard>
          <ExampleCard title={t`Shared With`} figure={peopleText(others)} sum="people">
            <div className={classes.people} aria-hidden="true" data-others>
              {Array.from({ length: most }, (_, place) => place).map((place) => (
                <span key={place} hidden={place >= others} />
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
  /** The name by which the calculator script finds the figure. */
  sum: string
  children: ReactNode
}

function ExampleCard({ title, figure, sum, children }: ExampleCardProps) {
  return (
    <article className={classes.card}>
      <div className={classes.head}>
        <h3 className={basics.name}>{title}</h3>
        <span className={classes.badge}>{t`Example`}</span>
      </div>
      <p className={classes.figure} data-sum={sum}>
        {figure}
      </p>
      {children}
    </article>
  )
}
