import { Trans } from '@lingui/react/macro'
import { Card, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Mascot, type Mood } from '#ui/Mascot.tsx'
import { usePageName } from '#ui/PageTitle.tsx'
import classes from './AuthPanel.module.css'

interface AuthPanelProps {
  title: string
  subline?: string
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
