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
    title: 'Money back automatically',
    text: `You paid through Potluck and got no access within ${LIMITS.accessTimeHours} hours? All of it goes back, without asking anyone.`,
  },
  {
    icon: IconClockPause,
    title: 'Paid for time that works',
    text: 'A month is held and becomes the owner’s hour by hour. From the report of a problem on, nothing is earned.',
  },
  {
    icon: IconDoorEnter,
    title: 'Paid before access',
    text: 'An owner lets in who has paid: through Potluck, nobody sees the login before the first month is in.',
  },
  {
    icon: IconKey,
    title: 'A vault for what opens a plan',
    text: 'Encrypted, each opening written down, and a reminder to change the password when someone leaves.',
  },
  {
    icon: IconRosetteDiscountCheck,
    title: 'Standing from facts',
    text: 'Payments on time, access given, quick answers: you see how far someone can be relied on, and why.',
  },
  {
    icon: IconBook2,
    title: 'Books in public',
    text: 'What is held, earned and given back stands there for everyone to read, day by day.',
  },
]

/** How both sides are protected. */
export function Protection({ link: Link }: { link: LandingLink }) {
  return (
    <section className={classes.band} aria-labelledby="protection">
      <div className={basics.container}>
        <h2 id="protection" className={basics.title}>
          What protects both sides
        </h2>
        <Features features={promises} />
        <p className={`${basics.note} ${classes.direct}`}>
          Where members pay an owner directly, Potluck keeps track and holds no money.
        </p>
        <div className={basics.actions}>
          <Link to="/books" className={basics.secondary}>
            Read the books
          </Link>
        </div>
      </div>
    </section>
  )
}
