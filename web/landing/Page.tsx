import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import '#ui/fonts.css'
import '#ui/global.css'
import './page.css'
import type { Provider } from '#domain/catalogue.ts'
import { planName } from '#domain/plan-name.ts'
import { exampleShares, popularServices } from '#domain/showcase.ts'
import basics from '#features/home/landing/basics.module.css'
import { Landing } from '#features/home/landing/Landing.tsx'
import { OfferItem } from '#features/home/landing/LivePlans.tsx'
import type { LandingLink } from '#features/home/landing/parts.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { addressOf } from '#lib/language.ts'
import { networkIcons } from '#routes/-shell/Footer.tsx'
import { visitorNavigation } from '#routes/-shell/navigation.ts'
import shell from '#routes/-shell/Shell.module.css'
import { socialLinks } from '#routes/-shell/social-links.ts'
import classes from './Page.module.css'
import { MARK_OF, NAME_OF } from './show-plans.ts'
import { here, TopBar } from './TopBar.tsx'

const { bottom, footer } = visitorNavigation

// Placeholders that the server fills in.
const [OPERATOR, VERSION] = ['{{operatorName}}', '{{VERSION}}']

interface PageProps {
  providers: Provider[]
  /** The fee rate of a new site. */
  feeRate: number
  /** The day of the build. */
  asOf: string
}

/** The content of the body of the visitors' page. */
export function Page({ providers, feeRate, asOf }: PageProps) {
  return (
    <div className={`${shell.page} ${classes.page}`}>
      <a href="#content" className={shell.skip}>
        {t`Skip to content`}
      </a>
      <TopBar />
      <main id="content" tabIndex={-1} className={shell.main}>
        <Landing
          signedIn={false}
          services={popularServices(providers, Math.random)}
          shares={exampleShares(providers, feeRate)}
          plans={undefined}
          asOf={asOf}
          link={PlainLink}
        />
      </main>
      <PlanTemplate providers={providers} />
      <footer className={shell.footer}>
        <div className={`${basics.container} ${shell.footerInner}`}>
          <nav className={shell.footerLinks} aria-label={t`Footer`}>
            {footer.map(({ label, to }) => (
              <a key={to} href={addressOf(to)} className={shell.link}>
                {label}
              </a>
            ))}
          </nav>
          <ul className={classes.social} aria-label={t`Social media`}>
            {socialLinks([]).map(({ name, address }) => {
              const Mark = networkIcons[name]
              return (
                <li key={name}>
                  <a
                    href={address}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={name}
                    className={classes.icon}
                    data-network={name}
                  >
                    <Mark size={21} aria-hidden />
                  </a>
                </li>
              )
            })}
          </ul>
          <p className={`${basics.note} ${basics.small} ${classes.operator}`}>
            <Trans>
              Run by {OPERATOR} · Service names and marks belong to their owners · Version {VERSION}
            </Trans>
          </p>
        </div>
      </footer>
      <nav className={shell.bottom} aria-label={t`Bottom`}>
        {bottom.map(({ label, to, icon: Icon }) => (
          <a key={to} href={addressOf(to)} className={shell.tab} {...here(to)}>
            <Icon size={22} aria-hidden />
            {label}
          </a>
        ))}
      </nav>
    </div>
  )
}

/**
 * The template from which the script makes the card of a plan, with the marks of all services that the build knows and the
 * names of plans that are different in the page's language, since the script is to stay small.
 */
function PlanTemplate({ providers }: { providers: Provider[] }) {
  const plan = { id: '', provider: '', name: '', ownerName: '', cost: 0, alone: 0, free: 0, places: 0 }
  return (
    <template data-plan-template>
      <OfferItem plan={plan} link={PlainLink} />
      {providers.map(({ name }) => (
        <span key={name} {...{ [MARK_OF]: name }}>
          <ProviderLogo provider={name} size="sm" />
        </span>
      ))}
      {translatedNames(providers).map(([name, words]) => (
        <span key={name} {...{ [NAME_OF]: name }}>
          {words}
        </span>
      ))}
    </template>
  )
}

const translatedNames = (providers: readonly Provider[]): [name: string, words: string][] =>
  [...new Set(providers.flatMap(({ plans }) => plans.map(({ name }) => name)))]
    .map((name): [string, string] => [name, planName(name)])
    .filter(([name, words]) => name !== words)

const PlainLink: LandingLink = ({ to, from, plan, service, ...look }) => {
  const search = from ? { from } : service && { service }
  const address = addressOf(to)
  return (
    <a
      href={search ? `${address}?${new URLSearchParams(search)}` : plan ? `${address}/${plan}` : address}
      {...look}
    />
  )
}
