import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Mascot } from '#ui/Mascot.tsx'
import basics from './basics.module.css'
import classes from './ClosingCall.module.css'
import type { LandingLink } from './parts.ts'

export function ClosingCall({ signedIn, link: Link }: { signedIn: boolean; link: LandingLink }) {
  const toTheTop = () => window.scrollTo({ top: 0, behavior: 'smooth' })
  return (
    <section className={classes.section} aria-labelledby="closing-call">
      <div className={classes.pot}>
        <Mascot mood="sparkling" size={132} />
      </div>
      <h2 id="closing-call" className={`${basics.title} ${classes.title}`}>
        {t`There is a place for you`}
      </h2>
      <div className={basics.actions}>
        {signedIn ? (
          <button type="button" className={basics.primary} onClick={toTheTop}>
            {t`Get Started`}
          </button>
        ) : (
          <Link to="/signin" className={basics.primary}>
            {t`Get Started`}
          </Link>
        )}
        <Link to="/about" className={basics.secondary}>
          {/* The hidden words are for screen readers, which may read the link out of context. */}
          <Trans>
            Learn More <span className={basics.spoken}>about how sharing works</span>
          </Trans>
        </Link>
      </div>
    </section>
  )
}
