import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import {
  IconBook2,
  IconCashBanknote,
  IconClockPause,
  IconDoorEnter,
  IconKey,
  IconRosetteDiscountCheck,
} from '@tabler/icons-react'
import basics from './basics.module.css'
import { Features } from './FeatureGrid.tsx'
import classes from './Protection.module.css'
import type { LandingLink } from './parts.ts'

const promises = [
  {
    icon: IconCashBanknote,
    title: t`Automatic refunds`,
    text: t`No access within ${LIMITS.accessTimeHours} hours of paying through Potluck? You get it all back automatically.`,
  },
  {
    icon: IconClockPause,
    title: t`Pay only for what works`,
    text: t`Owners earn hour by hour. Report a problem, and they stop earning until it’s fixed.`,
  },
  {
    icon: IconDoorEnter,
    title: t`Paid before access`,
    text: t`Through Potluck, members see the login only after paying the first month.`,
  },
  {
    icon: IconKey,
    title: t`A vault for passwords`,
    text: t`Encrypted, with a record of who opened them and a reminder to change them when someone leaves.`,
  },
  {
    icon: IconRosetteDiscountCheck,
    title: t`Standing you can trust`,
    text: t`See how reliable someone is, based on payments, access and answers.`,
  },
  {
    icon: IconBook2,
    title: t`Open books`,
    text: t`Anyone can see what we hold, earn and refund, day by day.`,
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
