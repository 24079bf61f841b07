import { t } from '@lingui/core/macro'
import { Mascot } from '#ui/Mascot.tsx'
import basics from './basics.module.css'
import classes from './Hero.module.css'
import type { LandingLink } from './parts.ts'

const ways = [
  { to: '/create', label: t`Share a Subscription`, look: basics.primary },
  { to: '/available-subscriptions', label: t`Subscribe to a Plan`, look: basics.secondary },
] as const

/**
 * The top of the landing page, with links to share or join a plan, both of which ask visitors to sign in, and to all
 * plans.
 */
export function Hero({ signedIn, link: Link }: { signedIn: boolean; link: LandingLink }) {
  return (
    <section className={classes.hero}>
      <div className={`${basics.container} ${classes.inner}`}>
        <div className={classes.words}>
          <h1 className={classes.headline}>{t`Share subscriptions, split the cost, save together.`}</h1>
          <p className={classes.lead}>
            {t`One of you brings the plan, everyone pays a share. Potluck finds the people and does the sums.`}
          </p>
          <div className={classes.actions}>
            {ways.map(({ to, label, look }) => (
              <Link key={to} {...(signedIn ? { to } : { to: '/sign-in', from: to })} className={look}>
                {label}
              </Link>
            ))}
          </div>
          <Link to="/plans" className={classes.plans}>
            {t`See all plans`}
          </Link>
        </div>
        <HeroTable />
      </div>
    </section>
  )
}

/** The bowls around the pot: their positions and the colours of their contents. */
const bowls = [
  { x: 96, y: 250, fill: '#E3A32B' },
  { x: 196, y: 318, fill: '#2B7355' },
  { x: 364, y: 318, fill: '#A62640' },
  { x: 464, y: 250, fill: '#E07A52' },
]

/** A decorative drawing of a table laid around a pot. */
function HeroTable() {
  return (
    <div className={classes.table} aria-hidden="true">
      <svg viewBox="0 0 560 420" className={classes.drawing} aria-hidden="true">
        <circle cx="280" cy="190" r="184" className={classes.sun} />
        <ellipse cx="280" cy="292" rx="262" ry="108" className={classes.edge} />
        <ellipse cx="280" cy="276" rx="262" ry="108" className={classes.top} />
        <path d="M70 276c0-44 94-80 210-80s210 36 210 80" className={classes.grain} />
        <path d="M118 300c20 34 86 58 162 58s142-24 162-58" className={classes.grain} />
        <ellipse cx="280" cy="284" rx="104" ry="32" className={classes.cloth} />
        {bowls.map(({ x, y, fill }) => (
          <g key={`${x}`} transform={`translate(${x} ${y})`}>
            <ellipse cx="0" cy="20" rx="34" ry="7" className={classes.shade} />
            <path d="M-36-4h72c0 20-14 28-36 28S-36 16-36-4Z" className={classes.bowl} />
            <ellipse cx="0" cy="-4" rx="36" ry="11" className={classes.rim} />
            <ellipse cx="0" cy="-3" rx="29" ry="7.5" fill={fill} />
            <path d="M-15-4c6-3 16-3 22-1" className={classes.gloss} />
          </g>
        ))}
      </svg>
      <div className={classes.pot}>
        <Mascot mood="excited" size={236} />
      </div>
    </div>
  )
}
