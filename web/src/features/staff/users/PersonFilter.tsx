import { useQuery } from '@tanstack/react-query'
import { ChosenFilter } from '#ui/ChosenFilter.tsx'
import { PersonSelect } from './PersonSelect.tsx'
import { personNameQuery } from './users.queries.ts'

interface PersonFilterProps {
  /** Whom a list is narrowed to. */
  person: string | undefined
  onChange: (person: string | undefined) => void
}

/** Narrows a list to one person, and back. For staff. */
export function PersonFilter({ person, onChange }: PersonFilterProps) {
  const { data: name } = useQuery({ ...personNameQuery(person ?? ''), enabled: person !== undefined })
  if (person === undefined) return <PersonSelect onChoose={onChange} />
  return <ChosenFilter label="Person" name={name ?? 'one only'} onClear={() => onChange(undefined)} />
}
