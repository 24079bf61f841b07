import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useInSight } from '#ui/use-in-sight.ts'
import classes from './ProviderPicker.module.css'

/** The number of providers from which a search field is worth its space. */
const MANY = 8
/** The number of tiles that fit on a phone's screen. */
const IN_SIGHT = 8

interface ProviderPickerProps<Item extends { name: string }> {
  items: readonly Item[]
  /** True to add a search field if there are many providers. */
  searchable?: boolean
  /** Tiles after the last provider, shown even if none is found. */
  last?: readonly ReactNode[]
  /** Renders one provider in the grid. */
  children: (item: Item) => ReactNode
}

/** The second step of the wizard: a grid of providers, searchable when there are many. */
export function ProviderPicker<Item extends { name: string }>({
  items,
  searchable = false,
  last = [],
  children,
}: ProviderPickerProps<Item>) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = items.filter(({ name }) => name.toLowerCase().includes(wanted))
  const drawn = useInSight(found, IN_SIGHT)
  return (
    <>
      {searchable && items.length >= MANY && (
        <TextInput
          type="search"
          mb="md"
          maw={420}
          aria-label={t`Search providers`}
          placeholder={t`Search providers`}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {wanted !== '' && found.length === 0 && (
        <Text c="dimmed" role="status" mb="md">
          <Trans>No provider matches "{search.trim()}".</Trans>
        </Text>
      )}
      <ul className={classes.grid}>
        {drawn.map((item) => (
          <li key={item.name}>{children(item)}</li>
        ))}
        {last.map((tile, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are fixed
          <li key={index}>{tile}</li>
        ))}
      </ul>
    </>
  )
}
