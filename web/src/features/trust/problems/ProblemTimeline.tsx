import { t } from '@lingui/core/macro'
import { Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { lineOf } from './problem-words.ts'
import { timelineQuery } from './problems.queries.ts'

/** The events around a problem, oldest first: money, access and statements. Both sides and staff see the same. */
export function ProblemTimeline({ problemId }: { problemId: string }) {
  return (
    <Loaded of={useQuery(timelineQuery(problemId))} rows={4} failed={t`Failed to load the timeline`}>
      {(entries) => (
        <Timeline role="list" aria-label={t`Timeline`} bulletSize={14} lineWidth={2} active={entries.length}>
          {entries.map((entry) => {
            const { text, said, tone } = lineOf(entry)
            return (
              <Timeline.Item
                key={`${entry.at} ${entry.kind} ${entry.note} ${entry.amount}`}
                role="listitem"
                color={tone}
                title={text}
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
                  {fullDate(entry.at)}
                </Text>
              </Timeline.Item>
            )
          })}
        </Timeline>
      )}
    </Loaded>
  )
}
