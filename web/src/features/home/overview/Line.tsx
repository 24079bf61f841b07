import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Line.module.css'

interface LineProps {
  title: ReactNode
  /** The plan it is about. */
  plan?: string | null
  /** How much time is left, or when it is due. */
  time?: ReactNode
  /** The one thing to do, or an amount. */
  children: ReactNode
}

/** One thing on one line, which ends with what to do about it. */
export function Line({ title, plan, time, children }: LineProps) {
  return (
    <List.Item className={classes.line}>
      <div className={classes.words}>
        <Text fw={600}>{title}</Text>
        {plan && (
          <Text size="sm" c="dimmed" dir="auto">
            {plan}
          </Text>
        )}
      </div>
      {time && <div className={classes.time}>{time}</div>}
      <div className={classes.end}>{children}</div>
    </List.Item>
  )
}
