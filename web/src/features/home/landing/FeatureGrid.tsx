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
  { icon: IconUsersGroup, title: t`Group Management` },
  { icon: IconScissors, title: t`Cost Splitting` },
  { icon: IconChartLine, title: t`Payment Tracking` },
  { icon: IconBellRinging, title: t`Payment Reminders` },
  { icon: IconLock, title: t`Secure Sharing` },
  { icon: IconCategory2, title: t`Service Categories` },
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
  features: readonly { icon: typeof IconLock; title: string; text?: string }[]
}

/** A grid of features, each with icon, title and, if it needs one, a text. */
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
            {text && <p className={`${basics.note} ${classes.text}`}>{text}</p>}
          </div>
        </div>
      ))}
    </div>
  )
}
