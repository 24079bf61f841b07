import { Badge, Card, Chip, Container, Group, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { type ComponentType, type ReactNode, useState } from 'react'
import { addUpSavings, type ExampleShare } from '#domain/showcase.ts'
import { Money } from '#ui/Money.tsx'
import classes from './SavingsTeaser.module.css'

/** The goal of the example household, in EUR a year. */
const GOAL = 500

/** How many of the services are chosen at first. */
const CHOSEN = 3

interface SavingsTeaserProps {
  /** The plans to choose from, the ones chosen at first in front. */
  shares: ExampleShare[]
  logo: ComponentType<{ provider: string; size: 'sm' }>
}

/** What sharing some real plans would save, at catalogue prices and marked as an example. */
export function SavingsTeaser({ shares, logo: Logo }: SavingsTeaserProps) {
  const [names, setNames] = useState(() => shares.slice(0, CHOSEN).map(({ provider }) => provider))
  const chosen = shares.filter(({ provider }) => names.includes(provider))
  const { monthly, yearly, others } = addUpSavings(chosen)
  if (shares.length === 0) return null

  return (
    <section className={classes.section} aria-labelledby="potential-savings" data-figures>
      <Container>
        <Title order={2} id="potential-savings" ta="center">
          Potential Savings
        </Title>
        <Text c="dimmed" ta="center" mt={6} mb="md" maw={560} mx="auto" style={{ textWrap: 'balance' }}>
          Choose what you would share. An example at today's list prices; your own table will look different.
        </Text>
        <Chip.Group multiple value={names} onChange={setNames}>
          <Group role="group" aria-label="Services to share" justify="center" gap="xs" mb="xl">
            {shares.map(({ provider }) => (
              <Chip key={provider} value={provider} classNames={{ label: classes.choice ?? '' }}>
                {provider}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
          <ExampleCard title="Monthly Savings" figure={<Money amount={monthly} />}>
            <Stack gap={10}>
              {chosen.length === 0 && (
                <Text size="sm" c="dimmed">
                  Nothing chosen yet.
                </Text>
              )}
              {chosen.map(({ provider, plan, alone, shared }) => (
                <Group key={provider} gap="sm" wrap="nowrap">
                  <Logo provider={provider} size="sm" />
                  <Text size="sm" component="div" lh={1.25} flex={1} miw={0}>
                    {provider}
                    <Text size="xs" c="dimmed" truncate>
                      {plan}
                    </Text>
                  </Text>
                  <Text size="sm" className={classes.before}>
                    <Money amount={alone} />
                  </Text>
                  <Text size="sm" fw={650}>
                    <Money amount={shared} />
                  </Text>
                </Group>
              ))}
            </Stack>
          </ExampleCard>
          <ExampleCard title="Shared With" figure={others === 1 ? '1 person' : `${others} people`}>
            <Group gap={6} aria-hidden>
              {Array.from({ length: others }, (_, place) => place + 1).map((place) => (
                <span key={place} className={classes.person} data-tone={place % 4} />
              ))}
            </Group>
            <Text size="sm" c="dimmed" mt="sm">
              Each of them pays their share and the convenience fee, nothing more.
            </Text>
          </ExampleCard>
          <ExampleCard title="Total Saved This Year" figure={<Money amount={yearly} />}>
            <Progress
              value={Math.min(100, (yearly / GOAL) * 100)}
              color="herb"
              size="lg"
              radius="xl"
              aria-label="Progress towards the goal"
            />
            <Group justify="space-between" mt="xs">
              <Text size="sm" c="dimmed">
                {Math.round((yearly / GOAL) * 100)}% of the goal
              </Text>
              <Text size="sm" fw={650}>
                Goal <Money amount={GOAL} />
              </Text>
            </Group>
          </ExampleCard>
        </SimpleGrid>
      </Container>
    </section>
  )
}

function ExampleCard({ title, figure, children }: { title: string; figure: ReactNode; children: ReactNode }) {
  return (
    <Card>
      <Group justify="space-between" wrap="nowrap">
        <Title order={3} size="h4">
          {title}
        </Title>
        <Badge variant="light" color="honey" flex="none">
          Example
        </Badge>
      </Group>
      <Text className={classes.figure}>{figure}</Text>
      {children}
    </Card>
  )
}
