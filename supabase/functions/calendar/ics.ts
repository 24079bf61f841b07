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

/** `siteUrl` has no trailing slash. */
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

/** A text value without control characters, which are not allowed; a line break is escaped. */
const text = (value: string) =>
  value
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')

const bytes = new TextEncoder()

/** Folds a line into lines of at most 75 bytes; continuation lines begin with a space, and no character is split. */
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
