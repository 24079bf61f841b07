import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Line.module.css'

interface LineProps {
  title: ReactNode
  /** Which plan it is about. */
  plan?: string | null
  /** How long there is, or when. */
  time?: ReactNode
  /** The one thing to do, or how much. */
  children: ReactNode
}

/** One thing in one line, with what there is to do about it at its end. */
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
