import { Anchor, Collapse, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { monthInWords } from '#domain/months.ts'
import { ColumnChart } from '#ui/ColumnChart.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { type Series, type Step, siteSeriesQuery } from './site-series.queries.ts'

const count = (number: number) => number.toLocaleString('en')
const FIGURES = [
  { of: 'people', name: 'New people', color: 'clay', write: count, isLevel: false },
  { of: 'plans', name: 'Active plans', color: 'herb', write: count, isLevel: true },
  { of: 'places', name: 'Active places', color: 'honey', write: count, isLevel: true },
  { of: 'paid', name: 'Paid through Potluck', color: 'clay', write: formatMoney, isLevel: false },
  { of: 'fees', name: 'Fees earned', color: 'herb', write: formatMoney, isLevel: false },
] as const

interface SiteSeriesProps {
  userId: string
  step: Step
  onStep: (step: Step) => void
}

/** How the site went, each figure as a chart and all of them as one table. */
export function SiteSeries({ userId, step, onStep }: SiteSeriesProps) {
  const { data: series, error, refetch, isPlaceholderData } = useQuery(siteSeriesQuery(userId, step))
  const title = useId()
  return (
    <SurfaceCard component="section" aria-labelledby={title}>
      <Group justify="space-between" mb="md">
        <Title order={2} fz="h3" id={title}>
          How it went
        </Title>
        <SegmentedControl
          aria-label="By"
          styles={{ label: { paddingBlock: 9 } }}
          value={step}
          onChange={onStep}
          data={[
            { value: 'month', label: 'By month' },
            { value: 'week', label: 'By week' },
          ]}
        />
      </Group>
      {!series && error && (
        <LoadAlert title="The figures could not be loaded" problem={error} onRetry={() => void refetch()} />
      )}
      {!series && !error && <RowsSkeleton rows={5} />}
      {series && (
        <Stack gap="lg" aria-busy={isPlaceholderData}>
          <Charts {...series} />
        </Stack>
      )}
    </SurfaceCard>
  )
}

function Charts({ periods, step }: Series) {
  const [asTable, { toggle }] = useDisclosure()
  const points = periods.map(({ start }) =>
    step === 'month' ? monthInWords(start.slice(0, 7)) : `Week of ${fullDay(start)}`,
  )
  const figures = FIGURES.filter(({ of }) => periods.every((period) => period[of] !== null))
  const numbersOf = (of: (typeof FIGURES)[number]['of']) => periods.map((period) => period[of] ?? 0)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="lg">
        {figures.map(({ of, name, color, write, isLevel }) => {
          const numbers = numbersOf(of)
          if (numbers.every((number) => number === 0)) return <None key={of} name={name} />
          return (
            <ColumnChart
              key={of}
              label={name}
              unit={step}
              points={points}
              series={[{ name: isLevel ? 'now' : 'in all', color, numbers }]}
              write={write}
              isLevel={isLevel}
            />
          )
        })}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        In UTC; the last {step} goes on. New people are those who are still here. Plans and places are counted
        at the end.
      </Text>
      <Anchor component="button" type="button" mih={44} ta="start" aria-expanded={asTable} onClick={toggle}>
        {asTable ? 'Hide the table' : 'Show as a table'}
      </Anchor>
      <Collapse expanded={asTable}>
        <StackTable
          label="How it went"
          columns={[
            { label: step === 'month' ? 'Month' : 'Week' },
            ...figures.map(({ name }) => ({ label: name, number: true })),
          ]}
        >
          {points
            .map((point, place) => (
              <StackRow key={point}>
                <StackCell label={step === 'month' ? 'Month' : 'Week'}>{point}</StackCell>
                {figures.map(({ of, name, write }) => (
                  <StackCell key={of} label={name} number>
                    {write(periods[place]?.[of] ?? 0)}
                  </StackCell>
                ))}
              </StackRow>
            ))
            .toReversed()}
        </StackTable>
      </Collapse>
    </>
  )
}

function None({ name }: { name: string }) {
  return (
    <div>
      <Text fw={700}>{name}</Text>
      <Text c="dimmed">None in this time.</Text>
    </div>
  )
}
