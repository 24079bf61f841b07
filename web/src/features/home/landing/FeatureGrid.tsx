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
    title: 'Group Management',
    text: 'Offer places, accept people, and see who sits at your table.',
  },
  {
    icon: IconScissors,
    title: 'Cost Splitting',
    text: "The provider's price divided fairly, to the cent, the same for everyone.",
  },
  {
    icon: IconChartLine,
    title: 'Payment Tracking',
    text: 'Who has paid, what is due and what is late, with a receipt for every month.',
  },
  {
    icon: IconBellRinging,
    title: 'Payment Reminders',
    text: 'Members hear when a month is due, and again when it is missing; owners can nudge.',
  },
  {
    icon: IconLock,
    title: 'Secure Sharing',
    text: 'What opens an account is encrypted, for members only, and its owner sees who opened it.',
  },
  {
    icon: IconCategory2,
    title: 'Service Categories',
    text: 'Streaming, music, gaming, productivity, security: find yours in three taps.',
  },
]

export function FeatureGrid() {
  return (
    <section className={classes.section} aria-labelledby="features">
      <div className={basics.container}>
        <h2 id="features" className={basics.title}>
          Everything a shared table needs
        </h2>
        <Features features={features} />
      </div>
    </section>
  )
}

interface FeaturesProps {
  features: readonly { icon: typeof IconLock; title: string; text: string }[]
}

/** Icons with a title and a text, side by side. */
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
