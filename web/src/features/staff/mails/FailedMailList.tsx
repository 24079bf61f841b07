import { t } from '@lingui/core/macro'
import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { type FailedMail, failedMailsQuery, useMarkMailsSeen } from './failed-mails.ts'

const COLUMNS: Column<FailedMail>[] = [
  { label: t`Email`, as: 'title', cell: ({ title }) => title },
  {
    label: t`To`,
    as: 'detail',
    brief: ({ recipient }) => recipient,
    cell: ({ recipient, personId, personName }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        {personId && <PersonLink staff userId={personId} name={personName ?? ''} />} <bdi>{recipient}</bdi>
      </div>
    ),
  },
  {
    label: t`Reason`,
    cell: ({ error }) => (
      <span style={{ overflowWrap: 'anywhere' }}>{error ?? t`The mail server did not answer`}</span>
    ),
  },
  { label: t`Given up`, as: 'state', cell: ({ givenUpAt }) => <RelativeDate date={givenUpAt} size="sm" /> },
]

/** Mails that could not be delivered, for admins. */
export function FailedMailList() {
  const seen = useMarkMailsSeen()
  return (
    <Loaded
      of={useQuery(failedMailsQuery)}
      failed={t`The undelivered emails could not be loaded`}
      empty={
        <EmptyState order={2} title={t`No undelivered emails`}>
          {t`You’re all caught up.`}
        </EmptyState>
      }
    >
      {(mails) => (
        <Stack gap="md">
          <DataTable label={t`Undelivered emails`} columns={COLUMNS} rows={mails} rowKey={({ id }) => id} />
          <Button
            variant="default"
            loading={seen.isPending}
            onClick={() => seen.mutate(mails[0]?.givenUpAt ?? '')}
            style={{ alignSelf: 'flex-start' }}
          >
            {t`Mark all as seen`}
          </Button>
        </Stack>
      )}
    </Loaded>
  )
}
