import { t } from '@lingui/core/macro'
import { Button, Drawer, Group, NativeSelect, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './MarketFilters.module.css'
import { marketFilters, withChoice } from './market-filters.ts'
import type { MarketSearch } from './market-search.ts'

interface MarketFiltersProps {
  search: MarketSearch
  /** The names of the providers that have shared plans. */
  services: readonly string[]
  onChange: (search: MarketSearch) => void
  /** The search field, which shares a line with the filters on phones. */
  children: ReactNode
}

/** Filters and sorts the list of plans: a row of selects, or on phones a sheet and the active filters. */
export function MarketFilters({ search, services, onChange, children }: MarketFiltersProps) {
  const [opened, { open, close }] = useDisclosure()
  const filters = marketFilters(search, services)
  const chosen = filters.filter(({ key, value }) => key !== 'sort' && value)
  const clear = () => onChange({ q: search.q, sort: search.sort })
  const choices = filters.map(({ key, label, value, choices: data }) => (
    <NativeSelect
      key={key}
      label={label}
      value={value}
      data={data.map(([choice, text]) => ({ value: choice, label: text }))}
      onChange={({ currentTarget }) => onChange(withChoice(search, key, currentTarget.value))}
    />
  ))
  return (
    <>
      <div className={classes.search}>
        {children}
        <Group gap="xs" hiddenFrom="sm" mb="md">
          <Button
            variant="default"
            px="sm"
            leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
            aria-haspopup="dialog"
            onClick={open}
          >
            {chosen.length > 0 ? t`Filters (${chosen.length})` : t`Filters`}
          </Button>
          {chosen.map(({ key, label, value, choices: among }) => {
            const name = among.find(([choice]) => choice === value)?.[1]
            return (
              <Button
                key={key}
                variant="light"
                radius="xl"
                rightSection={<IconX size={16} aria-hidden />}
                aria-label={t`Remove ${label}: ${name ?? ''}`}
                onClick={() => onChange(withChoice(search, key, ''))}
              >
                {name}
              </Button>
            )
          })}
        </Group>
      </div>
      <Group visibleFrom="sm" className={classes.row} mb="lg">
        {choices}
        {chosen.length > 0 && (
          <Button variant="subtle" px="sm" onClick={clear}>
            {t`Clear`}
          </Button>
        )}
      </Group>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        size="auto"
        radius="lg"
        title={t`Filters`}
        closeButtonProps={{ 'aria-label': t`Close`, size: 44, iconSize: 20 }}
      >
        <Stack gap="sm">
          {choices}
          <Group grow mt="sm">
            <Button variant="default" disabled={chosen.length === 0} onClick={clear}>
              {t`Clear`}
            </Button>
            <Button onClick={close}>{t`Show plans`}</Button>
          </Group>
        </Stack>
      </Drawer>
    </>
  )
}
