import { t } from '@lingui/core/macro'
import { Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Leads } from '#ui/leads.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './PlanViews.module.css'

interface NextStepProps {
  /** Whether this is the next step. The content stays mounted when this changes. */
  on?: boolean
  children: ReactNode
}

/** Highlights its content as the next step on a plan. */
export function NextStep({ on = true, children }: NextStepProps) {
  return (
    <div
      className={classes.step}
      data-next={on || undefined}
      {...(on && { role: 'region', 'aria-label': t`Next step` })}
    >
      {on && (
        <Group gap={6} c="clay" mb={6}>
          <IconArrowRight size={16} aria-hidden />
          <Text size="sm" fw={600}>
            {t`Next step`}
          </Text>
        </Group>
      )}
      <Leads value={on}>{children}</Leads>
    </div>
  )
}

interface StepCardProps {
  title: string
  /** The button of the step. */
  action: ReactNode
  children: ReactNode
}

/** A card for a step that is done on another page, with a link to it. */
export function StepCard({ title, action, children }: StepCardProps) {
  return (
    <SurfaceCard>
      <Group justify="space-between" gap="md">
        <Stack gap={4} flex="1 1 240px" miw={0}>
          <Title order={2} size="h3">
            {title}
          </Title>
          <Text style={{ overflowWrap: 'anywhere' }}>{children}</Text>
        </Stack>
        {action}
      </Group>
    </SurfaceCard>
  )
}
