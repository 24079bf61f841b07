import { Button, Group, List, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './FirstSteps.module.css'
import type { Steps } from './home.queries.ts'
import { type Side, type Step, stepsOf } from './step-words.ts'

interface FirstStepsProps {
  steps: Steps
  /** What the person says they came for, where nothing they did says so. */
  side: Side | undefined
}

/** Three steps to the first shared plan, from the side somebody came for; otherwise one question. */
export function FirstSteps({ steps, side: chosen }: FirstStepsProps) {
  const side = steps.planId ? 'share' : steps.hasAsked ? 'join' : chosen
  if (!side) return <Question />
  const list = stepsOf(side, steps)
  const next = list.findIndex(({ done }) => !done)
  return (
    <SurfaceCard component="section" aria-labelledby="steps-title">
      <Title order={2} size="h3" id="steps-title" mb="md">
        {side === 'join' ? 'Three steps to your first place' : 'Three steps to your first member'}
      </Title>
      <List type="ordered" listStyleType="none" className={classes.steps}>
        {list.map((step, n) => (
          <StepLine key={step.title} step={step} number={n + 1} isNext={n === next} />
        ))}
      </List>
      {!steps.planId && !steps.hasAsked && (
        <Button
          variant="subtle"
          mt="md"
          px="xs"
          renderRoot={(root) => (
            <Link {...root} to="/" search={{ for: side === 'join' ? 'share' : 'join' }} resetScroll={false} />
          )}
        >
          {side === 'join' ? 'I would rather share a plan of mine' : 'I would rather join a plan'}
        </Button>
      )}
    </SurfaceCard>
  )
}

function StepLine({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const { title, text, action, link, done } = step
  return (
    <List.Item className={classes.step}>
      <ThemeIcon
        size={36}
        radius="xl"
        variant={done || isNext ? 'filled' : 'light'}
        color={done ? 'herb' : isNext ? 'clay' : 'gray'}
        aria-hidden
      >
        {done ? <IconCheck size={20} /> : number}
      </ThemeIcon>
      <div className={classes.words}>
        <Text fw={600}>
          {title}
          {done && <VisuallyHidden> (done)</VisuallyHidden>}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {isNext && link && (
        <Button className={classes.do} renderRoot={(root) => <Link {...root} {...link} />}>
          {action}
        </Button>
      )}
    </List.Item>
  )
}

function Question() {
  return (
    <SurfaceCard component="section" aria-labelledby="steps-title">
      <Group justify="space-between" gap="md">
        <Title order={2} size="h3" id="steps-title">
          What brings you here?
        </Title>
        <Group gap="sm" className={classes.answers}>
          {(['join', 'share'] as const).map((side) => (
            <Button
              key={side}
              variant={side === 'join' ? 'filled' : 'default'}
              renderRoot={(root) => <Link {...root} to="/" search={{ for: side }} resetScroll={false} />}
            >
              {side === 'join' ? 'I want to join a plan' : 'I have a plan to share'}
            </Button>
          ))}
        </Group>
      </Group>
    </SurfaceCard>
  )
}
