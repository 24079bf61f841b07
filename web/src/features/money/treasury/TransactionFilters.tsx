import { t } from '@lingui/core/macro'
import { Group, SegmentedControl, Select } from '@mantine/core'
import { SearchField } from '#ui/SearchField.tsx'
import { TRANSACTION_TYPES } from './transaction-types.ts'
import type { TimeRange, TransactionType, TransactionWish } from './treasury.queries.ts'

const RANGE_CHOICES: { value: TimeRange; label: string }[] = [
  { value: '1d', label: t`24 hours` },
  { value: '7d', label: t`7 days` },
  { value: '30d', label: t`30 days` },
  { value: 'all', label: t`All time` },
]
const TYPE_CHOICES: { value: TransactionWish['type']; label: string }[] = [
  { value: 'all', label: t`All types` },
  ...Object.entries(TRANSACTION_TYPES).map(([value, { label }]) => ({
    value: value as TransactionType,
    label,
  })),
]

interface TransactionFiltersProps {
  wish: TransactionWish
  onChange: (change: Partial<TransactionWish>) => void
}

/** The filters of the transaction list. */
export function TransactionFilters({ wish, onChange }: TransactionFiltersProps) {
  return (
    <>
      <Group gap="sm" mb="sm">
        <SegmentedControl
          aria-label={t`Time range`}
          styles={{ label: { paddingBlock: 9 } }}
          data={RANGE_CHOICES}
          value={wish.range}
          onChange={(range) => onChange({ range })}
        />
        <Select
          aria-label={t`Type`}
          data={TYPE_CHOICES}
          value={wish.type}
          allowDeselect={false}
          w={170}
          onChange={(type) => type && onChange({ type })}
        />
      </Group>
      <SearchField
        label={t`Search descriptions`}
        value={wish.search}
        onSearch={(search) => onChange({ search })}
      />
    </>
  )
}
