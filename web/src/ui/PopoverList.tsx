import { t } from '@lingui/core/macro'
import { Button, ScrollArea, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { RowsSkeleton } from './Skeletons.tsx'

interface PopoverListProps<Item> {
  list: { data: Item[] | undefined; isPending: boolean; refetch: () => unknown }
  row: (item: Item) => ReactNode
  empty: ReactNode
  failed: string
}

/** A list in a popover, with its other states: empty, loading and failed. */
export function PopoverList<Item>({ list, row, empty, failed }: PopoverListProps<Item>) {
  return (
    <ScrollArea.Autosize
      mah="min(480px, 64vh)"
      type="auto"
      scrollbars="y"
      styles={{ content: { display: 'block', minWidth: 0 } }}
    >
      {list.data?.map(row)}
      {list.data?.length === 0 && empty}
      {list.isPending && (
        <Stack p="md">
          <RowsSkeleton rows={3} />
        </Stack>
      )}
      {!list.data && !list.isPending && (
        <Stack p="md" align="flex-start" role="alert">
          <Text>{failed}</Text>
          <Button variant="secondary" onClick={() => void list.refetch()}>
            {t`Try Again`}
          </Button>
        </Stack>
      )}
    </ScrollArea.Autosize>
  )
}
