import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { LinkButton } from '#ui/links.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import type { Task } from './home.queries.ts'
import classes from './Line.module.css'
import { wordsOf } from './task-words.ts'

/** Tasks in the given order, each with a link to where it is done. */
export function TaskList({ tasks }: { tasks: readonly Task[] }) {
  return (
    <List listStyleType="none" className={classes.list}>
      {tasks.map((task) => (
        <TaskLine key={`${task.kind} ${task.id} ${task.planId}`} task={task} />
      ))}
    </List>
  )
}

function TaskLine({ task }: { task: Task }) {
  const { title, action, link, time } = wordsOf(task)
  const { plan, dueAt } = task
  return (
    <Line
      title={title}
      plan={plan}
      time={
        dueAt &&
        (time === 'left' ? (
          <TimeLeft until={dueAt} />
        ) : (
          <Text size="sm" c="dimmed">
            Due <RelativeDate date={dueAt} />
          </Text>
        ))
      }
    >
      <LinkButton
        variant="light"
        px="md"
        aria-label={[`${action}: ${title}`, plan].filter(Boolean).join(', ')}
        {...link}
      >
        {action}
      </LinkButton>
    </Line>
  )
}

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
