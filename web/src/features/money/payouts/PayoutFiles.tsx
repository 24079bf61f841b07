import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '#domain/plural.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Money } from '#ui/Money.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { payoutTexts } from './payouts.messages.ts'
import { useDownloadPayoutFile, useVoidPayoutFile } from './payouts.mutations.ts'
import { type PayoutFile, payoutFilesQuery } from './payouts.queries.ts'

/** The files made for the bank, each to be downloaded again or voided whole. */
export function PayoutFiles() {
  const files = useInfiniteQuery(payoutFilesQuery(useSorting('fileSort')))
  const [voiding, setVoiding] = useState<PayoutFile | null>(null)
  const close = () => setVoiding(null)
  const download = useDownloadPayoutFile()
  const cancel = useVoidPayoutFile(close)
  const columns: Column<PayoutFile>[] = [
    {
      label: 'File',
      sort: 'id',
      as: 'title',
      brief: ({ id }) => `File ${id}`,
      cell: ({ id, payments, completed }) => (
        <div>
          <Text fw={600}>File {id}</Text>
          <Text size="sm" c="dimmed">
            {counted(payments, 'payment')}, {completed} completed
          </Text>
        </div>
      ),
    },
    {
      label: 'Amount',
      sort: 'amount',
      as: 'amount',
      number: true,
      cell: ({ amount }) => <Money amount={amount} fw={600} />,
    },
    {
      label: 'Made',
      sort: 'created_at',
      as: 'detail',
      brief: ({ payments, createdAt }) => (
        <>
          {counted(payments, 'payment')} · <RelativeDate date={createdAt} />
        </>
      ),
      cell: ({ createdAt, createdByName }) => (
        <Text size="sm" component="div">
          <RelativeDate date={createdAt} size="sm" /> by <bdi>{createdByName ?? 'Unknown'}</bdi>
        </Text>
      ),
    },
    {
      label: 'State',
      as: 'state',
      brief: (file) => <Label {...file} />,
      cell: (file) => <State {...file} />,
    },
    {
      label: 'Actions',
      as: 'actions',
      cell: (file) =>
        !file.voidedAt && (
          <Group gap="xs" wrap="nowrap">
            <Button
              size="sm"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              aria-label={`Download payment file ${file.id}`}
              loading={download.isPending && download.variables === file.id}
              onClick={() => download.mutate(file.id)}
            >
              Download
            </Button>
            {file.completed === 0 && (
              <Button
                size="sm"
                variant="default"
                aria-label={`Void payment file ${file.id}`}
                onClick={() => setVoiding(file)}
              >
                Void
              </Button>
            )}
          </Group>
        ),
    },
  ]
  return (
    <Loaded
      of={files}
      pending={<RowsSkeleton rows={2} />}
      failed={payoutTexts.filesFailed}
      empty={
        <EmptyState title={payoutTexts.filesEmpty} order={3}>
          Choose processing withdrawals to pay with one file at your bank.
        </EmptyState>
      }
    >
      {(rows) => (
        <Stack gap="lg">
          <DataTable
            sorts="fileSort"
            label="Payment files"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
          />
          <KeptRows as="fileRows" list={files} failed={payoutTexts.filesFailed}>
            Load more payment files
          </KeptRows>
          {voiding && (
            <ReasonDialog
              title={`Void payment file ${voiding.id}`}
              label="Reason"
              confirmLabel="Void file"
              busy={cancel.isPending}
              onConfirm={(reason) => cancel.mutate({ id: voiding.id, reason })}
              onClose={close}
            >
              Its {counted(voiding.payments, 'withdrawal')} can go into another file. First make sure your
              bank hasn’t received it, or has refused all of it.
            </ReasonDialog>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function Label({ completed, payments, voidedAt }: PayoutFile) {
  const isPaid = completed === payments
  return (
    <Badge variant="light" color={voidedAt ? 'beet' : isPaid ? 'herb' : 'clay'} tt="none">
      {voidedAt ? 'Void' : isPaid ? 'Paid' : 'Open'}
    </Badge>
  )
}

function State(file: PayoutFile) {
  const { voidedAt, voidedByName, voidReason } = file
  if (!voidedAt) return <Label {...file} />
  return (
    <Text size="sm" c="dimmed" component="div">
      <Label {...file} />
      <div>
        <RelativeDate date={voidedAt} size="sm" />
        {voidedByName && (
          <>
            {' '}
            by <bdi>{voidedByName}</bdi>
          </>
        )}
        : {voidReason}
      </div>
    </Text>
  )
}
