import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '#domain/plural.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Money } from '#ui/Money.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { payoutTexts } from './payouts.messages.ts'
import { useDownloadPayoutFile, useVoidPayoutFile } from './payouts.mutations.ts'
import { type PayoutFile, payoutFilesQuery } from './payouts.queries.ts'

const COLUMNS = [
  { label: 'File' },
  { label: 'Amount', number: true },
  { label: 'Made' },
  { label: 'State' },
  { label: 'Actions' },
]

/** The files that were made for the bank: downloaded again, or voided whole. */
export function PayoutFiles() {
  const files = useInfiniteQuery(payoutFilesQuery)
  const [voiding, setVoiding] = useState<PayoutFile | null>(null)
  const close = () => setVoiding(null)
  const download = useDownloadPayoutFile()
  const cancel = useVoidPayoutFile(close)
  if (files.isPending) return <RowsSkeleton rows={2} />
  if (!files.data)
    return (
      <LoadAlert title={payoutTexts.filesFailed} problem={files.error} onRetry={() => void files.refetch()} />
    )
  if (files.data.length === 0)
    return (
      <EmptyState title={payoutTexts.filesEmpty} order={3}>
        Choose withdrawals that are processing, and pay them with one file at your bank.
      </EmptyState>
    )
  return (
    <Stack gap="lg">
      <StackTable label="Payment files" columns={COLUMNS}>
        {files.data.map((file) => (
          <StackRow key={file.id}>
            <StackCell label="File">
              <div>
                <Text fw={600}>File {file.id}</Text>
                <Text size="sm" c="dimmed">
                  {counted(file.payments, 'payment')}, {file.completed} completed
                </Text>
              </div>
            </StackCell>
            <StackCell label="Amount" number>
              <Money amount={file.amount} fw={600} />
            </StackCell>
            <StackCell label="Made">
              <Text size="sm" component="div">
                <RelativeDate date={file.createdAt} size="sm" /> by <bdi>{file.createdBy}</bdi>
              </Text>
            </StackCell>
            <StackCell label="State">
              <State file={file} />
            </StackCell>
            <StackCell>
              {!file.voidedAt && (
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
              )}
            </StackCell>
          </StackRow>
        ))}
      </StackTable>
      <KeptRows as="fileRows" list={files} failed={payoutTexts.filesFailed}>
        Load more payment files
      </KeptRows>
      {voiding && (
        <ReasonDialog
          title={`Void payment file ${voiding.id}`}
          label="Why it is void"
          confirmLabel="Void the file"
          busy={cancel.isPending}
          onConfirm={(reason) => cancel.mutate({ id: voiding.id, reason })}
          onClose={close}
        >
          Its {counted(voiding.payments, 'withdrawal')} can go into another file. Make sure first that your
          bank has not had it, or has refused it whole.
        </ReasonDialog>
      )}
    </Stack>
  )
}

function State({ file }: { file: PayoutFile }) {
  if (!file.voidedAt)
    return (
      <Badge variant="light" color={file.completed === file.payments ? 'herb' : 'clay'} tt="none">
        {file.completed === file.payments ? 'Paid' : 'Open'}
      </Badge>
    )
  return (
    <Text size="sm" c="dimmed" component="div">
      <Badge variant="light" color="beet" tt="none">
        Void
      </Badge>
      <div>
        <RelativeDate date={file.voidedAt} size="sm" />
        {file.voidedBy && (
          <>
            {' '}
            by <bdi>{file.voidedBy}</bdi>
          </>
        )}
        : {file.voidReason}
      </div>
    </Text>
  )
}
