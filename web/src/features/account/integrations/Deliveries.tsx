import { plural, t } from '@lingui/core/macro'
import { Badge, Button, Code, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { type Delivery, deliveriesQuery, typeInWords, useResend, type Webhook } from './webhooks.ts'

/** The deliveries of a webhook and their results, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const list = useInfiniteQuery(deliveriesQuery(webhook.id))
  const resend = useResend()
  const failed = t`The deliveries could not be loaded`
  return (
    <SectionCard titleId="deliveries-title" title={t`Deliveries`} gap="xs">
      <Text c="dimmed">
        {plural(LIMITS.deliveryMemoryHours / 24, {
          one: 'What was sent in the last day, newest first.',
          other: 'What was sent in the last # days, newest first.',
        })}
      </Text>
      <Loaded
        of={list}
        pending={<RowsSkeleton rows={3} />}
        failed={failed}
        empty={<Text>{t`Nothing was sent yet. Send a test.`}</Text>}
      >
        {(rows) => (
          <>
            <DataTable
              lines
              label={t`Deliveries`}
              columns={columns(webhook.stoppedAt ? undefined : resend.mutate)}
              rows={rows}
              rowKey={({ id }) => id}
              rowProps={({ type, madeAt }) => ({
                'aria-label': t`${{ what: typeInWords(type) }}, ${{ at: fullDate(madeAt) }}`,
              })}
            />
            <MoreRows list={list} failed={failed}>
              {t`Load earlier deliveries`}
            </MoreRows>
          </>
        )}
      </Loaded>
    </SectionCard>
  )
}

const columns = (onResend: ((one: Delivery) => void) | undefined): Column<Delivery>[] => [
  {
    label: t({ message: 'About', context: 'what about' }),
    as: 'title',
    cell: ({ type }) => typeInWords(type),
  },
  { label: t`When`, as: 'detail', cell: ({ madeAt }) => <RelativeDate date={madeAt} /> },
  { label: t`Status`, as: 'state', cell: (one) => <StatusBadge delivery={one} /> },
  {
    label: t`Attempts`,
    cell: ({ attempts, lastMs }) =>
      lastMs === null ? attempts : t`${{ count: attempts }}, the last took ${{ ms: lastMs }} ms`,
  },
  {
    label: t`Next attempt`,
    cell: ({ deliveredAt, failedAt, nextAttemptAt }) => !deliveredAt && !failedAt && fullDate(nextAttemptAt),
  },
  { label: t({ message: 'Answer', context: 'of a receiver' }), cell: answerInWords },
  {
    label: t`What it said`,
    cell: ({ lastAnswer }) => lastAnswer && <FormattedText>{lastAnswer}</FormattedText>,
  },
  {
    label: t`What was sent`,
    cell: ({ payload: { type, timestamp, data } }) => (
      <FormattedText>{JSON.stringify({ type, timestamp, data }, null, 2)}</FormattedText>
    ),
  },
  { label: 'webhook-id', cell: ({ id }) => <Code>{id}</Code> },
  {
    label: t`Send again`,
    as: 'actions',
    cell: (one) =>
      onResend && (one.deliveredAt || one.failedAt) ? (
        <Button variant="default" onClick={() => onResend(one)}>
          {t`Send again`}
        </Button>
      ) : null,
  },
]

function FormattedText({ children }: { children: string }) {
  return (
    <Code block ta="start" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {children}
    </Code>
  )
}

function StatusBadge({ delivery: { deliveredAt, failedAt, attempts } }: { delivery: Delivery }) {
  const [color, words] = deliveredAt
    ? ['herb', t`Arrived`]
    : failedAt
      ? ['beet', t({ message: 'Given up', context: 'a delivery' })]
      : attempts === 0
        ? ['gray', t`Waiting`]
        : ['honey', t`Trying again`]
  return (
    <Badge variant="light" color={color} tt="none" flex="none">
      {words}
    </Badge>
  )
}

/** The result of the last attempt. Our own error texts are technical and not translated. */
const answerInWords = ({ lastStatus, lastError }: Delivery) =>
  lastStatus === null ? lastError : t`HTTP ${{ status: lastStatus }}`
