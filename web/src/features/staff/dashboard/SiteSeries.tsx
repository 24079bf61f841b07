import { t } from '@lingui/core/macro'
import { Anchor, Collapse, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { monthInWords } from '#domain/months.ts'
import { language } from '#lib/language.ts'
import { ColumnChart } from '#ui/ColumnChart.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { type Period, type Series, type Step, siteSeriesQuery } from './site-series.queries.ts'

const count = (number: number) => number.toLocaleString(language)
const FIGURES = [
  { key: 'people', name: t`New people`, color: 'clay', write: count, isLevel: false, as: 'detail' },
  { key: 'plans', name: t`Active plans`, color: 'herb', write: count, isLevel: true, as: 'detail' },
  { key: 'places', name: t`Active places`, color: 'honey', write: count, isLevel: true, as: undefined },
  {
    key: 'paid',
    name: t`Paid through Potluck`,
    color: 'clay',
    write: formatMoney,
    isLevel: false,
    as: 'amount',
  },
  { key: 'fees', name: t`Fees earned`, color: 'herb', write: formatMoney, isLevel: false, as: undefined },
] as const

interface SiteSeriesProps {
  userId: string
  step: Step
  onStep: (step: Step) => void
}

/** The site's figures over time: each as a chart, and all in one table. */
export function SiteSeries({ userId, step, onStep }: SiteSeriesProps) {
  const series = useQuery(siteSeriesQuery(userId, step))
  const title = useId()
  return (
    <SurfaceCard component="section" aria-labelledby={title}>
      <Group justify="space-between" mb="md">
        <Title order={2} fz="h3" id={title}>
          {t`Trends`}
        </Title>
        <SegmentedControl
          aria-label={t({ message: 'By', context: 'month or week' })}
          styles={{ label: { paddingBlock: 9 } }}
          value={step}
          onChange={onStep}
          data={[
            { value: 'month', label: t`By month` },
            { value: 'week', label: t`By week` },
          ]}
        />
      </Group>
      <Loaded of={series} rows={5} failed={t`The figures could not be loaded`}>
        {(loaded) => (
          <Stack gap="lg" aria-busy={series.isPlaceholderData}>
            <Charts {...loaded} />
          </Stack>
        )}
      </Loaded>
    </SurfaceCard>
  )
}

function Charts({ periods, step }: Series) {
  const [asTable, { toggle }] = useDisclosure()
  const nameOf = ({ startsOn }: Period) =>
    step === 'month' ? monthInWords(startsOn.slice(0, 7)) : t`Week of ${fullDay(startsOn)}`
  const figures = FIGURES.filter(({ key }) => periods.every((period) => period[key] !== null))
  const columns: Column<Period>[] = [
    { label: step === 'month' ? t`Month` : t`Week`, as: 'title', cell: nameOf },
    ...figures.map(({ key, name, write, as }) => ({
      label: name,
      ...(as && { as }),
      brief: (period: Period) => `${as === 'detail' ? `${name} ` : ''}${write(period[key] ?? 0)}`,
      number: true,
      cell: (period: Period) => write(period[key] ?? 0),
    })),
  ]
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="lg">
        {figures.map(({ key, name, color, write, isLevel }) => {
          const numbers = periods.map((period) => period[key] ?? 0)
          if (numbers.every((number) => number === 0)) return <None key={key} name={name} />
          return (
            <ColumnChart
              key={key}
              label={name}
              unit={step}
              points={periods.map(nameOf)}
              series={[{ name: isLevel ? t`now` : t`in all`, color, numbers }]}
              write={write}
              isLevel={isLevel}
            />
          )
        })}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {step === 'month'
          ? t`The last month is still running. Plans and places are counted at its end.`
          : t`The last week is still running. Plans and places are counted at its end.`}
      </Text>
      <Anchor component="button" type="button" mih={44} ta="start" aria-expanded={asTable} onClick={toggle}>
        {asTable ? t`Hide the table` : t`Show as a table`}
      </Anchor>
      <Collapse expanded={asTable}>
        <DataTable label={t`Trends`} columns={columns} rows={periods.toReversed()} rowKey={nameOf} />
      </Collapse>
    </>
  )
}

function None({ name }: { name: string }) {
  return (
    <div>
      <Text fw={700}>{name}</Text>
      <Text c="dimmed">{t`None in this period.`}</Text>
    </div>
  )
}
