import basics from './basics.module.css'
import classes from './Hero.module.css'
import { HeroTable } from './HeroTable.tsx'
import type { LandingLink } from './parts.ts'

interface HeroProps {
  signedIn: boolean
  link: LandingLink
}

const ways = [
  { to: '/create', label: 'Share a Subscription', look: basics.primary },
  { to: '/available-subscriptions', label: 'Subscribe to a Plan', look: basics.secondary },
] as const

/** Leads straight to sharing and joining; visitors sign in on the way. */
export function Hero({ signedIn, link: Link }: HeroProps) {
  // For people who are signed in, their home page above has the main heading.
  const Headline = signedIn ? 'h2' : 'h1'
  return (
    <section className={classes.hero}>
      <div className={`${basics.container} ${classes.inner}`}>
        <div className={classes.words}>
          <Headline className={classes.headline}>
            Share subscriptions, split the cost, save together.
          </Headline>
          <p className={classes.lead}>
            One of you brings the plan, everyone brings a share. Potluck finds the people, does the sums and
            keeps the table in order.
          </p>
          <div className={classes.actions}>
            {ways.map(({ to, label, look }) => (
              <Link key={to} {...(signedIn ? { to } : { to: '/sign-in', from: to })} className={look}>
                {label}
              </Link>
            ))}
          </div>
        </div>
        <HeroTable />
      </div>
    </section>
  )
}
