import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDate } from '#domain/dates.ts'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { rpc } from '#lib/supabase.ts'
import { CollapsibleCode } from '#ui/Collapsible.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Nothing } from '#ui/Nothing.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { disputeKeys, type PaymentEvent, paymentEventsQuery } from './disputes.queries.ts'

const FAILED = t`Provider events could not be loaded`

interface PaymentEventsProps {
  /** True to show reviewed events, false for events still to review. */
  isSeen: boolean
}

/** Events in which the payment provider's data differs from the site's, for an admin to review. */
export function PaymentEvents({ isSeen }: PaymentEventsProps) {
  const events = useInfiniteQuery(paymentEventsQuery(isSeen, useSorting('eventSort')))
  const [chosen, setChosen] = useState<PaymentEvent | null>(null)
  const close = () => setChosen(null)
  const review = useReview(close)
  return (
    <Stack gap="lg">
      <Loaded
        of={events}
        pending={<RowsSkeleton rows={2} />}
        failed={FAILED}
        empty={<Nothing>{t`Nothing yet`}</Nothing>}
      >
        {(rows) => (
          <>
            <DataTable
              label={t`Unknown events`}
              sorts="eventSort"
              columns={eventColumns(setChosen)}
              rows={rows}
              rowKey={({ id }) => id}
              rowProps={(event) => ({ 'aria-label': named(event) })}
            />
            <KeptRows as="eventRows" list={events} failed={FAILED}>
              {t`Load more events`}
            </KeptRows>
          </>
        )}
      </Loaded>
      {chosen && (
        <ReasonDialog
          title={t`Looked at`}
          label={t`What you found`}
          confirmLabel={t`Save note`}
          color="clay"
          busy={review.isPending}
          onConfirm={(finding) => review.mutate({ id: chosen.id, finding })}
          onClose={close}
        >
          <Trans>
            {inWords(chosen.type)} about {chosen.about}. Look it up at the provider first: it may belong to
            another site or be a manual payment. Your note goes into the staff log.
          </Trans>
        </ReasonDialog>
      )}
    </Stack>
  )
}

const eventColumns = (onChoose: (event: PaymentEvent) => void): Column<PaymentEvent>[] => [
  {
    label: t({ message: 'Received', context: 'when' }),
    sort: 'received_at',
    as: 'detail',
    cell: ({ receivedAt }) => fullDate(receivedAt),
  },
  {
    label: t`Event`,
    sort: 'type',
    as: 'title',
    brief: ({ type }) => inWords(type),
    cell: ({ type, id, about }) => (
      <div>
        <Text size="sm" fw={600}>
          {inWords(type)}
        </Text>
        <CollapsibleCode name={t`Ids at the provider`}>{t`${id} about ${about}`}</CollapsibleCode>
      </div>
    ),
  },
  {
    label: t`What you found`,
    sort: 'finding',
    as: 'detail',
    brief: ({ finding }) => finding,
    cell: (event) =>
      event.reviewedAt && (
        <div style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm" dir="auto">
            {event.finding}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            <PersonLink staff userId={event.reviewedBy} name={event.reviewerName} />,{' '}
            <RelativeDate date={event.reviewedAt} size="sm" />
          </Text>
        </div>
      ),
  },
  {
    label: t`To do`,
    as: 'action',
    cell: (event) =>
      !event.reviewedAt && (
        <Button
          size="sm"
          variant="default"
          aria-label={t`Mark ${named(event)} as looked at`}
          onClick={() => onChoose(event)}
        >
          {t`Mark as looked at`}
        </Button>
      ),
  },
]

/** The provider's event name as words: "charge.refunded" becomes "Charge refunded". */
const inWords = (type: string) => {
  const words = type.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A label that is unique among events of one type. */
const named = ({ type, id }: PaymentEvent) => `${inWords(type)}, ${id}`

const useReview = (onDone: () => void) =>
  useChange({
    run: ({ id, finding }: { id: string; finding: string }) =>
      rpc('review_payment_event', { p_id: id, p_finding: finding }),
    // Also reloaded after a refusal, since another admin may have reviewed the event in the meantime.
    stale: [disputeKeys.events],
    done: () => {
      toastSuccess(t`Noted`, t`It’s also in the staff log.`)
      onDone()
    },
    failed: (problem) => toastError(t`Error`, answerOf(problem, t`The note was not saved`)),
  })
