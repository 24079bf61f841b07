import { List, Text } from '@mantine/core'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { LinkButton } from '#ui/links.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import type { Task } from './home.queries.ts'
import classes from './Line.module.css'
import { Line } from './Line.tsx'
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
