import { Button, Group, NativeSelect, SimpleGrid } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { CATEGORY_CHOICES, categoryLabel } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import { LEVEL_NAMES } from '#domain/standing.ts'
import classes from './MarketFilters.module.css'
import { countFilters, type MarketSearch, PRICE_LIMITS } from './market-search.ts'

interface MarketFiltersProps {
  search: MarketSearch
  /** The names of the services that are shared. */
  services: readonly string[]
  onChange: (part: MarketSearch) => void
}

/** Narrows and orders the list of plans. Collapsed behind a button on phones. */
export function MarketFilters({ search, services, onChange }: MarketFiltersProps) {
  const [opened, { toggle }] = useDisclosure()
  const chosen = countFilters(search)
  const { service } = search
  return (
    <div>
      <Group gap="sm" hiddenFrom="sm" mb="md">
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
          aria-expanded={opened}
          aria-controls="market-filters"
          onClick={toggle}
        >
          {chosen > 0 ? `Filters (${chosen})` : 'Filters'}
        </Button>
      </Group>
      <SimpleGrid
        id="market-filters"
        cols={{ base: 2, sm: 4 }}
        spacing="sm"
        mb="lg"
        className={classes.choices}
        data-opened={opened || undefined}
      >
        <Choice
          label="Category"
          value={search.category ?? 'all'}
          choices={CATEGORY_CHOICES.map((choice) => [
            choice,
            choice === 'all' ? 'Any' : categoryLabel(choice),
          ])}
          onChange={(category) =>
            onChange({ category: category === 'all' ? undefined : (category as MarketSearch['category']) })
          }
        />
        <Choice
          label="Service"
          value={service ?? ''}
          choices={[
            ['', 'Any'],
            // The address may still name a service that nobody shares any more.
            ...[...new Set([...services, ...(service ? [service] : [])])].map(
              (name) => [name, name] as const,
            ),
          ]}
          onChange={(name) => onChange({ service: name || undefined })}
        />
        <Choice
          label="A month costs"
          value={search.max === undefined ? '' : String(search.max)}
          choices={[
            ['', 'Any price'],
            ...[...new Set([...PRICE_LIMITS, ...(search.max ? [search.max] : [])])]
              .sort((a, b) => a - b)
              .map((limit) => [String(limit), `${formatMoney(limit)} at most`] as const),
          ]}
          onChange={(limit) => onChange({ max: limit ? Number(limit) : undefined })}
        />
        <Choice
          label="Paid"
          value={search.pay ?? ''}
          choices={[
            ['', 'Any way'],
            ['site', 'Through Potluck'],
            ['direct', 'To the owner'],
          ]}
          onChange={(pay) => onChange({ pay: (pay || undefined) as MarketSearch['pay'] })}
        />
        <Choice
          label="Owner"
          value={search.level ?? ''}
          choices={[
            ['', 'Any owner'],
            ['proven', `${LEVEL_NAMES.proven} or better`],
            ['trusted', LEVEL_NAMES.trusted],
          ]}
          onChange={(level) => onChange({ level: (level || undefined) as MarketSearch['level'] })}
        />
        <Choice
          label="Getting in"
          value={search.instant ? 'instant' : ''}
          choices={[
            ['', 'Any way'],
            ['instant', 'Instant'],
          ]}
          onChange={(how) => onChange({ instant: how ? true : undefined })}
        />
        <Choice
          label="Order"
          value={search.sort ?? ''}
          choices={[
            ['', 'Newest first'],
            ['price', 'Cheapest first'],
          ]}
          onChange={(sort) => onChange({ sort: (sort || undefined) as MarketSearch['sort'] })}
        />
      </SimpleGrid>
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string
  choices: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <NativeSelect
      label={label}
      size="md"
      value={value}
      data={choices.map(([choice, text]) => ({ value: choice, label: text }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
