import { t } from '@lingui/core/macro'
import { List, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './StepList.module.css'

interface Step {
  title: string
  text: string
  done: boolean
}

interface StepListProps<S extends Step> {
  steps: readonly S[]
  /** The button of a step that is not done; `isNext` marks the first such step. */
  action: (step: S, isNext: boolean) => ReactNode
}

/** A list of steps in order, ticked once they are done. */
export function StepList<S extends Step>({ steps, action }: StepListProps<S>) {
  const next = steps.find(({ done }) => !done)
  return (
    <List type="ordered" listStyleType="none" className={classes.steps}>
      {steps.map((step, n) => {
        const { title, text, done } = step
        const isNext = step === next
        const way = !done && action(step, isNext)
        return (
          <List.Item key={title} className={classes.step}>
            <ThemeIcon
              size={36}
              radius="xl"
              variant={done || isNext ? 'filled' : 'light'}
              color={done ? 'herb' : isNext ? 'clay' : 'gray'}
              aria-hidden
            >
              {done ? <IconCheck size={20} /> : n + 1}
            </ThemeIcon>
            <div className={classes.words}>
              <Text fw={600}>
                {title}
                {done && <VisuallyHidden> {t`(done)`}</VisuallyHidden>}
              </Text>
              <Text size="sm" c="dimmed">
                {text}
              </Text>
            </div>
            {way && <div className={classes.do}>{way}</div>}
          </List.Item>
        )
      })}
    </List>
  )
}
