import { Button, Code, SegmentedControl, Stack, Text } from '@mantine/core'
import {
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { fullDate } from '#domain/dates.ts'
import { answerOf } from '#lib/errors.ts'
import { rpc } from '#lib/supabase.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { disputeKeys, type PaymentEvent, paymentEventsQuery } from './disputes.queries.ts'

const FAILED = 'Failed to load what the provider said'
const COLUMNS = [{ label: 'Received' }, { label: 'Event' }, { label: 'About' }, { label: 'Looked at' }]

interface PaymentEventsProps {
  /** Those somebody has looked at, instead of those to look at. */
  isSeen: boolean
  onSeen: (isSeen: boolean) => void
}

/** What the payment provider said about things this site does not know, until somebody has looked into it. */
export function PaymentEvents({ isSeen, onSeen }: PaymentEventsProps) {
  const events = useInfiniteQuery(paymentEventsQuery(isSeen))
  const [chosen, setChosen] = useState<PaymentEvent | null>(null)
  const close = () => setChosen(null)
  const review = useReview(close)
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label="Which events"
        value={isSeen ? 'seen' : 'new'}
        onChange={(value) => onSeen(value === 'seen')}
        data={[
          { value: 'new', label: 'To look at' },
          { value: 'seen', label: 'Looked at' },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      <Events events={events} isSeen={isSeen} onChoose={setChosen} />
      {chosen && (
        <ReasonDialog
          title="Looked at"
          label="What it was"
          confirmLabel="Note it"
          color="clay"
          busy={review.isPending}
          onConfirm={(finding) => review.mutate({ id: chosen.id, finding })}
          onClose={close}
        >
          {chosen.type} about {chosen.about}. Look it up at the provider first: it may be of another site on
          the same account, or a payment somebody made by hand. What you write goes into the staff log.
        </ReasonDialog>
      )}
    </Stack>
  )
}

interface EventsProps {
  events: UseInfiniteQueryResult<PaymentEvent[]>
  isSeen: boolean
  onChoose: (event: PaymentEvent) => void
}

function Events({ events, isSeen, onChoose }: EventsProps) {
  if (events.isPending) return <RowsSkeleton rows={2} />
  if (!events.data)
    return <LoadAlert title={FAILED} problem={events.error} onRetry={() => void events.refetch()} />
  if (events.data.length === 0)
    return (
      <EmptyState title={isSeen ? 'Nothing yet' : 'Nothing to look at'}>
        {isSeen
          ? 'What somebody looks into stands here with what it was.'
          : 'Everything the provider said was about payments of this site.'}
      </EmptyState>
    )
  return (
    <>
      <StackTable label="Unknown events" columns={COLUMNS}>
        {events.data.map((event) => (
          <StackRow key={event.id} label={event.id}>
            <StackCell label="Received">{fullDate(event.receivedAt)}</StackCell>
            <StackCell label="Event">
              <div style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm" fw={600}>
                  {event.type}
                </Text>
                <Text size="sm" c="dimmed">
                  {event.id}
                </Text>
              </div>
            </StackCell>
            <StackCell label="About">
              <Code style={{ overflowWrap: 'anywhere' }}>{event.about}</Code>
            </StackCell>
            <StackCell label="Looked at">
              {event.review ? (
                <div style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm" dir="auto">
                    {event.review.finding}
                  </Text>
                  <Text size="sm" c="dimmed" component="div">
                    <PersonLink staff userId={event.review.byId} name={event.review.by} />,{' '}
                    <RelativeDate date={event.review.at} size="sm" />
                  </Text>
                </div>
              ) : (
                <Button
                  size="sm"
                  variant="default"
                  aria-label={`Looked at ${event.id}`}
                  onClick={() => onChoose(event)}
                >
                  Looked at …
                </Button>
              )}
            </StackCell>
          </StackRow>
        ))}
      </StackTable>
      <KeptRows as="eventRows" list={events} failed={FAILED}>
        Load more events
      </KeptRows>
    </>
  )
}

function useReview(onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, finding }: { id: string; finding: string }) =>
      rpc('review_payment_event', { p_id: id, p_finding: finding }),
    onSuccess: () => {
      toastSuccess('Noted', 'It is in the staff log too.')
      onDone()
    },
    onError: (problem) => toastError('Error', answerOf(problem, 'Failed to note it')),
    // Somebody else may have looked meanwhile.
    onSettled: () => cache.invalidateQueries({ queryKey: disputeKeys.events }),
  })
}
