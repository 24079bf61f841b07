import { t } from '@lingui/core/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { type Mail, mailsQuery, useMarkMailsSeen, useTryMailNow } from './mails.ts'

const COLUMNS: Column<Mail>[] = [
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
    cell: ({ error, status }) => (
      <span style={{ overflowWrap: 'anywhere' }}>
        {error ?? (status === 'given-up' ? t`The mail server did not answer` : '')}
      </span>
    ),
  },
  { label: t`Status`, as: 'state', cell: (mail) => <Status mail={mail} /> },
]

function Status({ mail: { id, status, at, canBeSent } }: { mail: Mail }) {
  const tryNow = useTryMailNow()
  return (
    <Stack gap={4} align="flex-start">
      {status !== 'waiting' && (
        <Text size="sm">
          {status === 'sent' ? t`Sent` : t`Given up`} <RelativeDate date={at} size="sm" />
        </Text>
      )}
      {canBeSent && (
        <Button variant="default" size="xs" loading={tryNow.isPending} onClick={() => tryNow.mutate(id)}>
          {status === 'waiting' ? t`Waiting: try now` : t`Send again`}
        </Button>
      )}
    </Stack>
  )
}

/** Mails to an e-mail address or, without a search, those that could not be delivered. For admins. */
export function MailList({ search }: { search: string }) {
  const seen = useMarkMailsSeen()
  return (
    <Loaded
      of={useQuery(mailsQuery(search))}
      failed={t`The emails could not be loaded`}
      empty={
        search ? (
          <EmptyState order={2} title={t`No emails to this address`}>
            {t`We keep sent emails for a month.`}
          </EmptyState>
        ) : (
          <EmptyState order={2} title={t`No undelivered emails`}>
            {t`You’re all caught up.`}
          </EmptyState>
        )
      }
    >
      {(mails) => (
        <Stack gap="md">
          {!search && <Text c="dimmed">{t`We gave these up after several tries.`}</Text>}
          <DataTable
            label={search ? t`Emails to ${search}` : t`Undelivered emails`}
            columns={COLUMNS}
            rows={mails}
            rowKey={({ id }) => id}
          />
          {!search && (
            <Button
              variant="default"
              loading={seen.isPending}
              onClick={() => seen.mutate(latest(mails))}
              style={{ alignSelf: 'flex-start' }}
            >
              {t`Mark all as seen`}
            </Button>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

/** The time at which the last of these mails was given up. */
const latest = (mails: Mail[]) =>
  mails
    .map(({ at }) => at)
    .sort()
    .at(-1) ?? ''
