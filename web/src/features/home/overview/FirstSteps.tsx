import { t } from '@lingui/core/macro'
import { Button, Group, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { LinkButton, LoneLink } from '#ui/links.tsx'
import { StepList } from '#ui/StepList.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './FirstSteps.module.css'
import type { Steps } from './home.queries.ts'
import { type Side, stepsOf } from './step-words.ts'

interface FirstStepsProps {
  steps: Steps
  /** The person's stated aim, used until their plans or requests show what they want. */
  side: Side | undefined
}

/** Three steps to the first shared plan, for a member or for an owner. If the aim is unknown, asks for it first. */
export function FirstSteps({ steps, side: chosen }: FirstStepsProps) {
  const side = steps.planId ? 'share' : steps.hasAsked ? 'join' : chosen
  if (!side) return <Question />
  return (
    <SurfaceCard component="section" aria-labelledby="steps-title">
      <Title order={2} size="h3" id="steps-title" mb="md">
        {side === 'join' ? t`Three steps to your first place` : t`Three steps to your first member`}
      </Title>
      <StepList
        steps={stepsOf(side, steps)}
        action={({ action, link }, isNext) =>
          isNext && link && <Button renderRoot={(root) => <Link {...root} {...link} />}>{action}</Button>
        }
      />
      {!steps.planId && !steps.hasAsked && (
        <LoneLink to="/" search={{ for: side === 'join' ? 'share' : 'join' }} resetScroll={false} mt="md">
          {side === 'join' ? t`I’d rather share a plan` : t`I’d rather join a plan`}
        </LoneLink>
      )}
    </SurfaceCard>
  )
}

function Question() {
  return (
    <SurfaceCard component="section" aria-labelledby="steps-title">
      <Group justify="space-between" gap="md">
        <Title order={2} size="h3" id="steps-title">
          {t`What brings you here?`}
        </Title>
        <Group gap="sm" className={classes.answers}>
          {(['join', 'share'] as const).map((side) => (
            <LinkButton
              key={side}
              variant={side === 'join' ? 'filled' : 'default'}
              to="/"
              search={{ for: side }}
              resetScroll={false}
            >
              {side === 'join' ? t`I want to join a plan` : t`I have a plan to share`}
            </LinkButton>
          ))}
        </Group>
      </Group>
    </SurfaceCard>
  )
}
