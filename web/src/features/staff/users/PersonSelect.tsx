import { Loader, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usersQuery } from './users.queries.ts'

/** How long typing must pause before the search starts, in ms. */
const PAUSE = 300

/** Finds somebody with an account by their name. For staff. */
export function PersonSelect({ onChoose }: { onChoose: (id: string) => void }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), PAUSE)
  const users = useInfiniteQuery({ ...usersQuery({ search }), enabled: search !== '' })
  const found = search === '' ? [] : (users.data ?? [])
  return (
    <Select
      label="Person"
      placeholder="Search by name"
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      data={found.map(({ id, displayName, email }) => ({
        value: id,
        label: email ? `${displayName} (${email})` : displayName,
      }))}
      // The database has already filtered, by its own rules.
      filter={({ options }) => options}
      nothingFoundMessage={typed === '' ? 'Type a name' : users.isFetching ? 'Searching …' : 'Nobody found'}
      rightSection={users.isFetching ? <Loader size={16} /> : undefined}
      w={240}
      onChange={(id) => id && onChoose(id)}
    />
  )
}
