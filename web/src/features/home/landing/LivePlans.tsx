import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconSearch } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { formatMoney } from '#domain/money.ts'
import { planName } from '#domain/plan-name.ts'
import type { ExampleShare } from '#domain/showcase.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import basics from './basics.module.css'
import classes from './LivePlans.module.css'
import { type LandingLink, TODAYS_PRICES } from './parts.ts'
import { aboutPlan, SHOWN, type ShownPlan } from './shown-plans.ts'

interface LivePlansProps {
  /** Undefined until loaded. */
  plans: ShownPlan[] | undefined
  /** The cost of a place in well-known plans, shown while plans are loading or if there are none. */
  shares: ExampleShare[]
  /** The date of the prices in `shares`; undefined if they are today's. */
  asOf?: string | undefined
  link: LandingLink
  /** Searches without a page load. If absent, the form loads the results page. */
  onSearch?: ((text: string) => void) | undefined
  /** True inside a page that has its own margins; otherwise, this is a band across the page. */
  inset?: boolean
}

/**
 * Shows plans with a place and a search for more; while there are no plans to show, example prices from the catalogue.
 */
export function LivePlans({ plans, shares, asOf, link: Link, onSearch, inset }: LivePlansProps) {
  const state = plans === undefined ? 'unknown' : plans.length > 0 ? 'live' : 'none'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (!onSearch) return
    event.preventDefault()
    onSearch(event.currentTarget.querySelector('input')?.value ?? '')
  }
  const prices = <span data-prices>{asOf ? t`at list prices of ${asOf}` : TODAYS_PRICES}</span>
  return (
    <section
      className={classes.band}
      aria-labelledby="live-plans"
      data-plans
      data-state={state}
      data-inset={inset || undefined}
    >
      <div className={basics.container}>
        <h2 id="live-plans" className={basics.title}>
          {t`Plans to join`}
        </h2>
        <p className={`${basics.note} ${basics.intro}`} data-when="unknown none">
          <span data-when="unknown">
            <Trans>What a place costs {prices}.</Trans>
          </span>
          <span data-when="none">
            <Trans>No open places right now. What one costs {prices}:</Trans>
          </span>
        </p>
        <form action="/plans" className={classes.search} onSubmit={submit}>
          <input
            type="search"
            name="q"
            placeholder={t`Netflix, Spotify, …`}
            aria-label={t`Search for a service or a plan`}
            className={classes.field}
          />
          <button type="submit" className={`${basics.secondary} ${classes.go}`}>
            <IconSearch size={20} aria-hidden />
            {t`Search`}
          </button>
        </form>
        <ul className={classes.plans} data-when="live" data-list>
          {plans?.map((plan) => (
            <OfferItem key={plan.id} plan={plan} link={Link} />
          ))}
        </ul>
        <ul className={classes.plans} data-when="unknown none">
          {shares.slice(0, SHOWN).map(({ provider, plan, people, alone, shared }) => (
            <li key={provider} className={`${basics.tile} ${classes.plan}`} data-share={provider}>
              <ProviderLogo provider={provider} size="sm" />
              <Words provider={provider} name={plan} cost={shared} alone={alone}>
                {t`Shared by ${people}`}
              </Words>
            </li>
          ))}
        </ul>
        <div className={basics.actions}>
          <Link to="/plans" className={basics.secondary}>
            {t`See all plans`}
          </Link>
        </div>
      </div>
    </section>
  )
}

interface OfferItemProps {
  plan: ShownPlan
  link: LandingLink
}

/** A plan, linked to its page. */
export function OfferItem({ plan, link: Link }: OfferItemProps) {
  return (
    <li>
      <Link to="/plans" plan={plan.id} className={`${basics.tile} ${classes.plan}`}>
        <ProviderLogo provider={plan.provider} size="sm" />
        <Words provider={plan.provider} name={plan.name} cost={plan.cost} alone={plan.alone}>
          {aboutPlan(plan)}
        </Words>
      </Link>
    </li>
  )
}

interface WordsProps {
  provider: string
  name: string
  /** EUR a month. */
  cost: number
  alone: number
  children: string
}

function Words({ provider, name, cost, alone, children }: WordsProps) {
  return (
    <span className={classes.words}>
      <b className={classes.name}>
        <span data-provider>{provider}</span> <span data-name>{planName(name)}</span>
      </b>
      <span className={classes.cost}>
        <Trans>
          <b data-cost>{formatMoney(cost)}</b> a month, <span data-alone>{formatMoney(alone)}</span> alone
        </Trans>
      </span>
      <small className={basics.note} data-about>
        {children}
      </small>
    </span>
  )
}
