import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Group, Progress, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck, IconFlag } from '@tabler/icons-react'
import { MILESTONES, type Milestone, milestonesReached } from '#domain/savings.ts'
import { Money } from '#ui/Money.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { BrowsePlansLink } from './BrowsePlansLink.tsx'

/** The milestones that `total`, in EUR, has reached, and progress towards the others. */
export function SavingsMilestones({ total }: { total: number }) {
  const reached = milestonesReached(total)
  return (
    <Stack gap="md">
      <Text c="dimmed">
        <Trans>
          Total saved, a six-month estimate: <Money amount={total} fw={650} />
        </Trans>
      </Text>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t`Milestones`}>
        {MILESTONES.map((milestone) => (
          <li key={milestone.amount}>
            <Step milestone={milestone} total={total} reached={reached.includes(milestone)} />
          </li>
        ))}
      </Stack>
      {reached.length === 0 && (
        <Group justify="center">
          <BrowsePlansLink />
        </Group>
      )}
    </Stack>
  )
}

function Step({ milestone, total, reached }: { milestone: Milestone; total: number; reached: boolean }) {
  const { amount, title } = milestone
  return (
    <SurfaceCard padding="md">
      <Group wrap="nowrap" gap="md">
        <ThemeIcon
          size={44}
          radius="xl"
          variant={reached ? 'filled' : 'light'}
          color={reached ? 'herb' : 'gray'}
        >
          {reached ? <IconCheck size={22} aria-hidden /> : <IconFlag size={22} aria-hidden />}
        </ThemeIcon>
        <Stack gap={6} flex={1} miw={0}>
          <Group justify="space-between" gap={4}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {reached ? (
              <Badge variant="light" color="herb" tt="none">
                {t`Reached`}
              </Badge>
            ) : (
              <Text size="sm" c="dimmed">
                <Trans>
                  <Money amount={amount - total} /> to go
                </Trans>
              </Text>
            )}
          </Group>
          <Progress
            value={Math.max(0, Math.min(100, (total / amount) * 100))}
            color="herb"
            aria-label={t`Progress to ${title}`}
          />
          <Text size="sm" c="dimmed">
            <Trans>
              At <Money amount={amount} /> saved
            </Trans>
          </Text>
        </Stack>
      </Group>
    </SurfaceCard>
  )
}
