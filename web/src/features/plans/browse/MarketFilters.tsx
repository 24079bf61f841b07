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
  onChange: (search: MarketSearch) => void
  /** The search field, which shares a line with the filters. */
  children: ReactNode
}

/** Filters and sorts the list of plans: a line of selects, or on phones one button and the active filters. */
export function MarketFilters({ search, onChange, children }: MarketFiltersProps) {
  const [opened, { open, close }] = useDisclosure()
  const filters = marketFilters(search)
  const chosen = filters.filter(({ key, value }) => key !== 'sort' && value)
  const { q, category, service, sort } = search
  const clear = () => onChange({ q, category, service, sort })
  const selects = (isLabelled: boolean) =>
    filters.map(({ key, label, value, choices }) => (
      <NativeSelect
        key={key}
        {...(isLabelled ? { label } : { 'aria-label': label })}
        data-chosen={value !== '' || undefined}
        value={value}
        rightSectionWidth={30}
        data={choices.map(([choice, text]) => ({ value: choice, label: text }))}
        onChange={({ currentTarget }) => onChange(withChoice(search, key, currentTarget.value))}
      />
    ))
  return (
    <>
      <div className={classes.line}>
        {children}
        <Group visibleFrom="sm" className={classes.selects}>
          {selects(false)}
          {chosen.length > 0 && (
            <Button variant="subtle" px="sm" onClick={clear}>
              {t`Clear`}
            </Button>
          )}
        </Group>
        <Button
          hiddenFrom="sm"
          variant="default"
          px="sm"
          leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
          aria-haspopup="dialog"
          onClick={open}
        >
          {chosen.length > 0 ? t`Filters (${chosen.length})` : t`Filters`}
        </Button>
      </div>
      {chosen.length > 0 && (
        <Group gap="xs" hiddenFrom="sm" mb="sm">
          {chosen.map(({ key, label, value, choices }) => {
            const name = choices.find(([choice]) => choice === value)?.[1] ?? ''
            return (
              <Button
                key={key}
                variant="light"
                radius="xl"
                rightSection={<IconX size={16} aria-hidden />}
                aria-label={t`Remove ${label}: ${name}`}
                onClick={() => onChange(withChoice(search, key, ''))}
              >
                {name}
              </Button>
            )
          })}
        </Group>
      )}
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        size="auto"
        radius="lg"
        title={t`Filters`}
        classNames={{ title: classes.title ?? '' }}
        closeButtonProps={{ 'aria-label': t`Close`, size: 44, iconSize: 20 }}
      >
        <Stack gap="sm">
          {selects(true)}
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
