import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Money } from '#ui/Money.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { withdrawalTexts } from './withdrawals.messages.ts'
import { useDownloadPayoutFile, useVoidPayoutFile } from './withdrawals.mutations.ts'
import { type PayoutFile, payoutFilesQuery } from './withdrawals.queries.ts'

/** The payment files for the bank. Each can be downloaded again or voided as a whole. */
export function PayoutFiles() {
  const files = useInfiniteQuery(payoutFilesQuery(useSorting('fileSort')))
  const [voiding, setVoiding] = useState<PayoutFile | null>(null)
  const close = () => setVoiding(null)
  const download = useDownloadPayoutFile()
  const cancel = useVoidPayoutFile(close)
  const columns: Column<PayoutFile>[] = [
    {
      label: t`File`,
      sort: 'id',
      as: 'title',
      brief: ({ id }) => t`File ${id}`,
      cell: ({ id, payments, completed }) => (
        <div>
          <Text fw={600}>
            <Trans>File {id}</Trans>
          </Text>
          <Text size="sm" c="dimmed">
            <Trans>
              <Plural value={payments} one="# payment" other="# payments" />, {completed} completed
            </Trans>
          </Text>
        </div>
      ),
    },
    {
      label: t`Amount`,
      sort: 'amount',
      as: 'amount',
      number: true,
      cell: ({ amount }) => <Money amount={amount} fw={600} />,
    },
    {
      label: t`Made`,
      sort: 'created_at',
      as: 'detail',
      brief: ({ payments, createdAt }) => (
        <>
          {plural(payments, { one: '# payment', other: '# payments' })} · <RelativeDate date={createdAt} />
        </>
      ),
      cell: ({ createdAt, createdByName }) => (
        <Text size="sm" component="div">
          <Trans>
            <RelativeDate date={createdAt} size="sm" /> by <bdi>{createdByName ?? t`Unknown`}</bdi>
          </Trans>
        </Text>
      ),
    },
    {
      label: t`State`,
      as: 'state',
      brief: (file) => <Label {...file} />,
      cell: (file) => <State {...file} />,
    },
    {
      label: t`Actions`,
      as: 'actions',
      cell: (file) =>
        !file.voidedAt && (
          <Group gap="xs" wrap="nowrap">
            <Button
              size="sm"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              aria-label={t`Download payment file ${file.id}`}
              loading={download.isPending && download.variables === file.id}
              onClick={() => download.mutate(file.id)}
            >
              {t`Download`}
            </Button>
            {file.completed === 0 && (
              <Button
                size="sm"
                variant="default"
                aria-label={t`Void payment file ${file.id}`}
                onClick={() => setVoiding(file)}
              >
                {t({ message: 'Void', context: 'button' })}
              </Button>
            )}
          </Group>
        ),
    },
  ]
  return (
    <Loaded of={files} pending={<RowsSkeleton rows={2} />} failed={withdrawalTexts.filesFailed} empty={null}>
      {(rows) => (
        <Card component="section">
          <Title order={2} size="h3" mb="md">
            {t`Payment files`}
          </Title>
          <Stack gap="lg">
            <DataTable
              sorts="fileSort"
              label={t`Payment files`}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
            />
            <KeptRows as="fileRows" list={files} failed={withdrawalTexts.filesFailed}>
              {t`Load more payment files`}
            </KeptRows>
            {voiding && (
              <ReasonDialog
                title={t`Void payment file ${voiding.id}`}
                label={t`Reason`}
                confirmLabel={t`Void file`}
                busy={cancel.isPending}
                onConfirm={(reason) => cancel.mutate({ id: voiding.id, reason })}
                onClose={close}
              >
                <Trans>
                  Its <Plural value={voiding.payments} one="# withdrawal" other="# withdrawals" /> can go into
                  another file. First make sure your bank hasn’t received it, or has refused all of it.
                </Trans>
              </ReasonDialog>
            )}
          </Stack>
        </Card>
      )}
    </Loaded>
  )
}

function Label({ completed, payments, voidedAt }: PayoutFile) {
  const isPaid = completed === payments
  return (
    <Badge variant="light" color={voidedAt ? 'beet' : isPaid ? 'herb' : 'clay'} tt="none">
      {voidedAt ? t`Void` : isPaid ? t`Paid` : t`Open`}
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
            <Trans>
              by <bdi>{voidedByName}</bdi>
            </Trans>
          </>
        )}
        : {voidReason}
      </div>
    </Text>
  )
}
