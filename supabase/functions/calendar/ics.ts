// Writes a calendar according to RFC 5545.

/** A row of `calendar_of()`. */
export interface Day {
  uid: string
  /** YYYY-MM-DD */
  day: string
  summary: string
  /** A path on the site. */
  path: string
}

/** Returns the text of the calendar. `siteUrl` has no trailing slash. */
export function writeCalendar(days: readonly Day[], siteUrl: string, now: Date): string {
  const { host } = new URL(siteUrl)
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Potluck//Renewals and due dates//EN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Potluck',
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    ...days.flatMap(({ uid, day, summary, path }) => [
      'BEGIN:VEVENT',
      `UID:${text(`${uid}@${host}`)}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
      `SUMMARY:${text(summary)}`,
      `URL:${siteUrl}${encodeURI(path)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

/** Escapes a text value, and replaces control characters, which are not allowed, by spaces. */
const text = (value: string) =>
  value
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')

const bytes = new TextEncoder()

/** Folds a line into lines of at most 75 bytes. Continuation lines begin with a space, and no character is split. */
function fold(line: string): string {
  let folded = ''
  let length = 0
  for (const letter of line) {
    const size = bytes.encode(letter).length
    if (length + size > 75) {
      folded += '\r\n '
      length = 1
    }
    folded += letter
    length += size
  }
  return folded
}
