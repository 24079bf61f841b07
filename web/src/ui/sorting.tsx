import { t } from '@lingui/core/macro'
import { Group, NativeSelect, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Sorting, toSorting, toSortParam } from '#lib/sorting.ts'
import type { Column, SortParam } from './column.ts'

/** The parameters with the number of shown rows, which a new order resets. */
const ROWS = { sort: 'rows', eventSort: 'eventRows', fileSort: 'fileRows' } as const

/** Returns the order chosen in the URL; undefined for the list's default order. */
export const useSorting = (param: SortParam): Sorting | undefined =>
  toSorting(useSearch({ strict: false, select: (search) => search[param] }))

function useSort(param: SortParam) {
  const navigate = useNavigate()
  return (sort: string | undefined) =>
    void navigate({
      to: '.',
      search: (now) => ({ ...now, [param]: sort, [ROWS[param]]: undefined }),
      replace: true,
      resetScroll: false,
    })
}

type Sortable = Pick<Column<never>, 'label' | 'sort' | 'number'>

/** A column's two orders, each named by the value that comes first; the usual order first. */
function ordersOf({ sort = '', number = false }: Sortable): { value: string; words: string }[] {
  const isTime = /(^|_)at$/.test(sort)
  const words = number
    ? [t`highest first`, t`lowest first`]
    : isTime
      ? [t`newest first`, t`oldest first`]
      : [t`Z to A`, t`A to Z`]
  const orders = words.map((text, at) => ({ value: toSortParam({ by: sort, desc: at === 0 }), words: text }))
  return number || isTime ? orders : orders.reverse()
}

/** The head of a sortable column. Repeated presses sort by it, reverse the order, then reset it. */
export function SortHead({
  column,
  param,
  className,
}: SortProps & { column: Sortable; className: string | undefined }) {
  const sorting = useSorting(param)
  const sort = useSort(param)
  const [first, second] = ordersOf(column)
  const here = sorting?.by === column.sort ? sorting : undefined
  const now = here && toSortParam(here)
  const next = now === first?.value ? second : now === undefined ? first : undefined
  const Arrow = here?.desc ? IconArrowDown : IconArrowUp
  return (
    <Table.Th
      scope="col"
      className={className}
      aria-sort={here ? (here.desc ? 'descending' : 'ascending') : undefined}
    >
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        mih={32}
        title={next ? t`Sort: ${next.words}` : t`Back to default order`}
        onClick={() => sort(next?.value)}
      >
        <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
          {column.label}
          {here && <Arrow size={14} aria-hidden />}
        </Group>
      </UnstyledButton>
    </Table.Th>
  )
}

interface SortProps {
  param: SortParam
}

/** The choice of {@link SortHead}, for lists without column heads. */
export function SortSelect({ columns, param }: SortProps & { columns: readonly Sortable[] }) {
  const sorting = useSorting(param)
  const sort = useSort(param)
  return (
    <NativeSelect
      aria-label={t`Sort by`}
      mb="xs"
      maw={{ xs: 320 }}
      value={sorting ? toSortParam(sorting) : ''}
      onChange={({ currentTarget }) => sort(currentTarget.value || undefined)}
      data={[
        { value: '', label: t`Default order` },
        ...columns
          .filter((column) => column.sort)
          .flatMap((column) =>
            ordersOf(column).map(({ value, words }) => ({ value, label: `${column.label}, ${words}` })),
          ),
      ]}
    />
  )
}
