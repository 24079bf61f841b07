import { t } from '@lingui/core/macro'
import { Group, Select, TextInput } from '@mantine/core'
import { TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import { ChosenFilter } from '#ui/ChosenFilter.tsx'
import { PersonFilter } from '../users/PersonFilter.tsx'
import type { TransferFilter } from './transfers.queries.ts'

const KINDS = Object.entries(TRANSFER_KINDS).map(([value, label]) => ({ value, label }))

interface TransferFiltersProps {
  filter: TransferFilter
  /** The name of the chosen plan, if it appears in the list. */
  planName: string | undefined
  onChange: (change: TransferFilter) => void
}

/** The filters of the transfer list. A plan is chosen in the list itself. */
export function TransferFilters({ filter, planName, onChange }: TransferFiltersProps) {
  return (
    <Group gap="sm" mb="lg" align="flex-end">
      <PersonFilter person={filter.person} onChange={(person) => onChange({ person })} />
      {filter.plan && (
        <ChosenFilter
          label={t`Plan`}
          name={planName ?? filter.plan}
          onClear={() => onChange({ plan: undefined })}
        />
      )}
      <Select
        label={t`Kind`}
        placeholder={t`All kinds`}
        data={KINDS}
        value={filter.kind ?? null}
        clearable
        flex="1 1 140px"
        maw={200}
        onChange={(kind) => onChange({ kind: kind ?? undefined })}
      />
      <Day label={t`From`} value={filter.from} onChange={(from) => onChange({ from })} />
      <Day label={t`Until`} value={filter.until} onChange={(until) => onChange({ until })} />
    </Group>
  )
}

interface DayProps {
  label: string
  value: string | undefined
  onChange: (day: string | undefined) => void
}

function Day({ label, value, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value ?? ''}
      flex="1 1 140px"
      miw={0}
      maw={180}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  )
}
