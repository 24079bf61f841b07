import { Text, type TextProps, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { dateInWords, fullDate } from '#domain/dates.ts'
import { useNow } from './use-now.ts'

interface RelativeDateProps extends TextProps {
  /** ISO date or time. A bare date (YYYY-MM-DD) is a calendar day. */
  date: string
}

/** A date in words ("in 12 days"), with the full date on hover. Updated as time passes. */
export function RelativeDate({ date, ...look }: RelativeDateProps) {
  const now = new Date(useNow())
  // Lists have dozens of these dates, and a tooltip costs more than the rest of a card, so it is mounted on hover.
  const [asked, setAsked] = useState(false)
  const words = (
    <Text
      component="time"
      inherit={look.size === undefined}
      dateTime={date}
      onPointerEnter={() => setAsked(true)}
      {...look}
    >
      {dateInWords(date, now)}
    </Text>
  )
  if (!asked) return words
  return (
    <Tooltip label={fullDate(date)} events={{ hover: true, focus: true, touch: true }} defaultOpened>
      {words}
    </Tooltip>
  )
}
