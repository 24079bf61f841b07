import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { IconCashBanknote, IconClockPause, IconRosetteDiscountCheck } from '@tabler/icons-react'
import basics from './basics.module.css'
import { Features } from './FeatureGrid.tsx'
import classes from './Protection.module.css'
import type { LandingLink } from './parts.ts'

const promises = [
  {
    icon: IconCashBanknote,
    title: t`Automatic refunds`,
    text: t`No access within ${LIMITS.accessTimeHours} hours of paying through Potluck? You get it all back.`,
  },
  {
    icon: IconClockPause,
    title: t`Pay only for what works`,
    text: t`Owners earn nothing while a reported problem lasts.`,
  },
  {
    icon: IconRosetteDiscountCheck,
    title: t`Standing you can trust`,
    text: t`Earned by payments, access and answers.`,
  },
]

/** The section about the protection of members and owners. */
export function Protection({ link: Link }: { link: LandingLink }) {
  return (
    <section className={classes.band} aria-labelledby="protection">
      <div className={basics.container}>
        <h2 id="protection" className={basics.title}>
          {t`What protects both sides`}
        </h2>
        <Features features={promises} />
        <p className={`${basics.note} ${classes.direct}`}>
          {t`When members pay an owner directly, Potluck holds no money.`}
        </p>
        <div className={basics.actions}>
          <Link to="/books" className={basics.secondary}>
            {t`See the books`}
          </Link>
        </div>
      </div>
    </section>
  )
}
