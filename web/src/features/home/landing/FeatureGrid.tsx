import { t } from '@lingui/core/macro'
import {
  IconBellRinging,
  IconCategory2,
  IconChartLine,
  IconLock,
  IconScissors,
  IconUsersGroup,
} from '@tabler/icons-react'
import basics from './basics.module.css'
import classes from './FeatureGrid.module.css'

const features = [
  {
    icon: IconUsersGroup,
    title: t`Group Management`,
    text: t`You decide who joins your plan.`,
  },
  {
    icon: IconScissors,
    title: t`Cost Splitting`,
    text: t`Split fairly, to the cent.`,
  },
  {
    icon: IconChartLine,
    title: t`Payment Tracking`,
    text: t`Who has paid, with a receipt every month.`,
  },
  {
    icon: IconBellRinging,
    title: t`Payment Reminders`,
    text: t`Sent when a payment is due or late.`,
  },
  {
    icon: IconLock,
    title: t`Secure Sharing`,
    text: t`Encrypted passwords, for members who have paid.`,
  },
  {
    icon: IconCategory2,
    title: t`Service Categories`,
    text: t`Streaming, music, gaming, productivity and security.`,
  },
]

export function FeatureGrid() {
  return (
    <section className={classes.section} aria-labelledby="features">
      <div className={basics.container}>
        <h2 id="features" className={basics.title}>
          {t`Everything a shared table needs`}
        </h2>
        <Features features={features} />
      </div>
    </section>
  )
}

interface FeaturesProps {
  features: readonly { icon: typeof IconLock; title: string; text: string }[]
}

/** A grid of features, each with icon, title and text. */
export function Features({ features }: FeaturesProps) {
  return (
    <div className={classes.features}>
      {features.map(({ icon: Icon, title, text }) => (
        <div key={title} className={classes.feature}>
          <span className={classes.icon}>
            <Icon size={26} stroke={1.8} aria-hidden />
          </span>
          <div>
            <h3 className={basics.name}>{title}</h3>
            <p className={`${basics.note} ${classes.text}`}>{text}</p>
          </div>
        </div>
      ))}
    </div>
  )
}
