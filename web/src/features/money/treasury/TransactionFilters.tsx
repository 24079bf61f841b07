import { t } from '@lingui/core/macro'
import { Group, SegmentedControl, Select } from '@mantine/core'
import { SearchField } from '#ui/SearchField.tsx'
import { TRANSACTION_TYPES } from './transaction-types.ts'
import type { TimeRange, TransactionFilter, TransactionType } from './treasury.queries.ts'

const RANGE_CHOICES: { value: TimeRange; label: string }[] = [
  { value: '1d', label: t`24 hours` },
  { value: '7d', label: t`7 days` },
  { value: '30d', label: t`30 days` },
  { value: 'all', label: t`All time` },
]
const TYPE_CHOICES: { value: TransactionFilter['type']; label: string }[] = [
  { value: 'all', label: t`All types` },
  ...Object.entries(TRANSACTION_TYPES).map(([value, { label }]) => ({
    value: value as TransactionType,
    label,
  })),
]

interface TransactionFiltersProps {
  filter: TransactionFilter
  onChange: (change: Partial<TransactionFilter>) => void
}

export function TransactionFilters({ filter, onChange }: TransactionFiltersProps) {
  return (
    <>
      <Group gap="sm" mb="sm">
        <SegmentedControl
          aria-label={t`Time range`}
          styles={{ label: { paddingBlock: 9 } }}
          data={RANGE_CHOICES}
          value={filter.range}
          onChange={(range) => onChange({ range })}
        />
        <Select
          aria-label={t`Type`}
          data={TYPE_CHOICES}
          value={filter.type}
          allowDeselect={false}
          w={170}
          onChange={(type) => type && onChange({ type })}
        />
      </Group>
      <SearchField
        label={t`Search descriptions`}
        value={filter.search}
        onSearch={(search) => onChange({ search })}
      />
    </>
  )
}
