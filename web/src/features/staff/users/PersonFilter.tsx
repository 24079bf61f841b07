import { t } from '@lingui/core/macro'
import { Loader, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChosenFilter } from '#ui/ChosenFilter.tsx'
import { personNameQuery, usersQuery } from './users.queries.ts'

interface PersonFilterProps {
  /** The id of the person a list is filtered by. */
  person: string | undefined
  onChange: (person: string | undefined) => void
}

/** Filters a list by one person. For staff. */
export function PersonFilter({ person, onChange }: PersonFilterProps) {
  const { data: name } = useQuery({ ...personNameQuery(person ?? ''), enabled: person !== undefined })
  if (person === undefined) return <PersonSelect onChoose={onChange} />
  return <ChosenFilter label={t`Person`} name={name ?? t`one only`} onClear={() => onChange(undefined)} />
}

/** The pause in typing before the search starts, in ms. */
const PAUSE = 300

/** Finds a person by name. For staff. */
function PersonSelect({ onChoose }: { onChoose: (id: string) => void }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), PAUSE)
  const users = useInfiniteQuery({ ...usersQuery({ search }), enabled: search !== '' })
  const found = search === '' ? [] : (users.data ?? [])
  return (
    <Select
      label={t`Person`}
      placeholder={t`Search by name`}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      data={found.map(({ id, displayName, email }) => ({
        value: id,
        label: email ? `${displayName} (${email})` : displayName,
      }))}
      // The database has already filtered the options.
      filter={({ options }) => options}
      nothingFoundMessage={
        typed === '' ? t`Type a name` : users.isFetching ? t`Searching …` : t`Nobody found`
      }
      rightSection={users.isFetching ? <Loader size={16} /> : undefined}
      flex="1 1 220px"
      maw={280}
      onChange={(id) => id && onChoose(id)}
    />
  )
}
