import { t } from '@lingui/core/macro'
import { SegmentedControl } from '@mantine/core'
import { REVIEW_FILTERS, type ReviewFilter } from './review.ts'

const LABELS: Record<ReviewFilter, string> = {
  all: t({ message: 'All', context: 'plans' }),
  active: t`Active`,
  pending: t`Pending`,
  rejected: t`Rejected`,
}
const CHOICES = REVIEW_FILTERS.map((value) => ({ value, label: LABELS[value] }))

interface StatusFilterProps {
  value: ReviewFilter
  onChange: (filter: ReviewFilter) => void
}

/** Filters the plan review by status. */
export function StatusFilter({ value, onChange }: StatusFilterProps) {
  return (
    <SegmentedControl
      aria-label={t`Status`}
      size="md"
      styles={{ label: { display: 'grid', minHeight: 44, placeContent: 'center' } }}
      data={CHOICES}
      value={value}
      onChange={(chosen) => onChange(REVIEW_FILTERS.find((filter) => filter === chosen) ?? 'all')}
      w={{ base: '100%', xs: 'auto' }}
    />
  )
}
