import { Trans } from '@lingui/react/macro'
import { Card, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Mascot, type Mood } from '#ui/Mascot.tsx'
import { usePageName } from '#ui/PageTitle.tsx'
import classes from './AuthPanel.module.css'

interface AuthPanelProps {
  title: string
  subline: string
  mood?: Mood
  /** Describes the action for which the person signs in and with which they continue afterwards. */
  purpose?: string | null
  children: ReactNode
  /** Shown below the form. */
  aside?: ReactNode
}

/** The frame of every sign-in screen: the mascot, a heading and a form. */
export function AuthPanel({ title, subline, mood = 'calm', purpose, children, aside }: AuthPanelProps) {
  usePageName(title)
  return (
    <div className={classes.screen}>
      <Card className={classes.panel} padding={0}>
        <div className={classes.table}>
          <Mascot mood={mood} size={168} />
          <p className={classes.line}>
            <Trans>
              Share the plan.
              <br />
              Split the cost.
            </Trans>
          </p>
        </div>
        <div className={classes.form}>
          <div className={classes.small}>
            <Mascot mood={mood} size={72} />
          </div>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          <Text c="dimmed" mt={4} mb="lg" className={classes.title}>
            {subline}
          </Text>
          {purpose && (
            <Text fw={600} mb="lg" className={classes.title}>
              {purpose}
            </Text>
          )}
          {children}
        </div>
      </Card>
      {aside}
    </div>
  )
}

interface TwoWaysProps {
  /** The title of the page. */
  title: string
  newcomer: { title: string; text: string; form: ReactNode }
  member: { title: string; text: string; form: ReactNode }
  aside?: ReactNode
}

/** The frame around two forms, side by side on a wide screen: one for newcomers, one for members. */
export function TwoWays({ title, newcomer, member, aside }: TwoWaysProps) {
  usePageName(title)
  return (
    <div className={classes.screen}>
      <Title order={1} ta="center" maw={640}>
        {title}
      </Title>
      <Card className={classes.panel} padding={0}>
        {[newcomer, member].map((way) => (
          <section key={way.title} className={classes.way} aria-label={way.title}>
            <Title order={2} size="h3">
              {way.title}
            </Title>
            <Text c="dimmed" mt={4} mb="md">
              {way.text}
            </Text>
            {way.form}
          </section>
        ))}
      </Card>
      {aside}
    </div>
  )
}
