import { t } from '@lingui/core/macro'
import { Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDate, fullDay } from '#domain/dates.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { lineOf } from './problem-words.ts'
import { type TimelineEntry, timelineQuery } from './problems.queries.ts'

/**
 * The events around a problem, oldest first: money, access and statements. Both sides and staff see the same. Payments
 * of the same sum that follow each other are one event.
 */
export function ProblemTimeline({ problemId }: { problemId: string }) {
  return (
    <Loaded of={useQuery(timelineQuery(problemId))} rows={4} failed={t`Failed to load the timeline`}>
      {(entries) => (
        <Timeline role="list" aria-label={t`Timeline`} bulletSize={14} lineWidth={2} active={entries.length}>
          {inRuns(entries).map(([entry, last, count]) => {
            const { text, said, tone } = lineOf(entry)
            return (
              <Timeline.Item
                key={`${entry.at} ${entry.kind} ${entry.note} ${entry.amount}`}
                role="listitem"
                color={tone}
                title={count > 1 ? t`${text}, ${count} times` : text}
                styles={{
                  itemTitle: {
                    fontSize: 'var(--mantine-font-size-md)',
                    lineHeight: 1.35,
                    overflowWrap: 'anywhere',
                  },
                }}
              >
                {said && (
                  <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
                    {said}
                  </Text>
                )}
                <Text size="sm" c="dimmed" component="time" dateTime={entry.at}>
                  {count > 1 ? t`${fullDay(entry.at)} to ${fullDay(last.at)}` : fullDate(entry.at)}
                </Text>
              </Timeline.Item>
            )
          })}
        </Timeline>
      )}
    </Loaded>
  )
}

/** Each run of equal payments with its first entry, its last one and their number; other entries alone. */
function inRuns(
  entries: readonly TimelineEntry[],
): [first: TimelineEntry, last: TimelineEntry, count: number][] {
  const runs: [TimelineEntry, TimelineEntry, number][] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    const continues =
      run && entry.kind === 'paid' && run[0].kind === 'paid' && entry.amount === run[0].amount && !entry.note
    if (continues) runs[runs.length - 1] = [run[0], entry, run[2] + 1]
    else runs.push([entry, entry, 1])
  }
  return runs
}
