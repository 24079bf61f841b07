import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Group, Progress, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconPoint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LEVEL_NAMES } from '#domain/standing.ts'
import { Collapsible } from '#ui/Collapsible.tsx'
import { LevelMark } from '#ui/LevelMark.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { factsInWords, factsSentence, nextLevel, progressTo } from './facts.ts'
import { levelsQuery, standingQuery } from './standing.queries.ts'

const MARK = { size: 16, style: { flex: 'none', marginTop: 2 }, 'aria-hidden': true } as const

/**
 * A person's level: one sentence, a bar towards the next level, and a collapsed list of each fact with what that level
 * needs.
 */
export function StandingSummary({ userId, self = false }: { userId: string; self?: boolean }) {
  const standing = useQuery(standingQuery(userId))
  const levels = useQuery(levelsQuery)
  const problem = standing.error ?? levels.error
  if (!standing.data || !levels.data) {
    if (!problem) return <RowsSkeleton rows={2} />
    const again = () => void Promise.all([standing.refetch(), levels.refetch()])
    return <LoadAlert title={t`Standing could not be loaded`} problem={problem} onRetry={again} />
  }
  const { level } = standing.data
  const { pairDays, memoryDays, graceDays } = levels.data
  const next = nextLevel(level, levels.data)
  // At the highest level, the facts are compared with what that level itself needs.
  const needs = next ?? levels.data.levels.at(-1)
  const facts = needs ? factsInWords(standing.data, needs, graceDays) : []
  const goal = next ? t`Next: ${LEVEL_NAMES[next.level]}` : t`Highest level`
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <LevelMark level={level} />
        <Text size="sm" c="dimmed">
          {goal}
        </Text>
      </Group>
      <Text>{factsSentence(standing.data)}</Text>
      <Progress.Root size="md">
        <Progress.Section
          value={next ? Math.round(100 * progressTo(standing.data, next)) : 100}
          color="herb"
          aria-label={goal}
        />
      </Progress.Root>
      <Collapsible name={t`All facts`}>
        <Table
          aria-label={t`What standing is based on`}
          verticalSpacing={8}
          horizontalSpacing="clamp(0px, 1vw, 4px)"
          fz="sm"
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t`Fact`}</Table.Th>
              <Table.Th scope="col">{needs && <Trans>{LEVEL_NAMES[needs.level]} needs</Trans>}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {facts.map(({ label, value, need: { text, met } }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" fw={400}>
                  <Text size="sm" c="dimmed">
                    {label}
                  </Text>
                  <Text fw={650}>{value}</Text>
                </Table.Th>
                <Table.Td style={{ verticalAlign: 'bottom' }}>
                  <Group gap={4} wrap="nowrap" align="flex-start" c={met ? 'herb' : 'dimmed'}>
                    {met ? <IconCheck {...MARK} /> : <IconPoint {...MARK} />}
                    <Text size="sm" inherit>
                      {text}
                      <VisuallyHidden> {met ? t`(reached)` : t`(not yet)`}</VisuallyHidden>
                    </Text>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" mt="sm">
          {self
            ? t`Your standing is based on what happened here and cannot be bought.`
            : t`Standing is based on what happened here and cannot be bought.`}{' '}
          <Trans>
            At most <Plural value={pairDays} one="# day" other="# days" /> with the same person count. Late
            payments, problems and answers count for <Plural value={memoryDays} one="# day" other="# days" />.
          </Trans>
        </Text>
      </Collapsible>
    </Stack>
  )
}

interface StandingCardProps {
  userId: string
  /** The person's reviews. */
  children: ReactNode
}

/** The signed-in person's own standing. */
export function StandingCard({ userId, children }: StandingCardProps) {
  return (
    <SectionCard titleId="standing-title" title={t`Your standing`}>
      <Stack gap="lg">
        <StandingSummary userId={userId} self />
        {children}
      </Stack>
    </SectionCard>
  )
}
