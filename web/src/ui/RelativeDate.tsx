import { Text, type TextProps, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { dateInWords, fullDate } from '#domain/dates.ts'

interface RelativeDateProps extends TextProps {
  /** ISO date or time. A bare date (YYYY-MM-DD) is a calendar day. */
  date: string
}

/** A date in words ("in 12 days"), with the date itself on hover; keeps itself up to date. */
export function RelativeDate({ date, ...look }: RelativeDateProps) {
  const now = useMinute()
  return (
    <Tooltip label={fullDate(date)} events={{ hover: true, focus: true, touch: true }}>
      <Text component="time" inherit={look.size === undefined} dateTime={date} {...look}>
        {dateInWords(date, now)}
      </Text>
    </Tooltip>
  )
}

function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
