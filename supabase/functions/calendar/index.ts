// Serves a person's renewals and due dates to calendar programs, at /calendar/<secret>.ics. Anybody who has the URL can
// read them.
import { callDatabase as call, Refused } from '../_shared/database.ts'
import { notSetUp, serveAnyOrigin } from '../_shared/serve.ts'
import { type Day, writeCalendar } from './ics.ts'

serveAnyOrigin(async (request) => {
  if (!['GET', 'HEAD'].includes(request.method)) return answer('Read it with GET', 405)
  const siteUrl = Deno.env.get('SITE_URL')?.replace(/\/+$/, '')
  if (!siteUrl) return notSetUp('SITE_URL')
  const token = /^\/calendar\/([0-9a-f]{64})\.ics$/.exec(new URL(request.url).pathname)?.[1]
  const days = token === undefined ? undefined : await daysOf(token)
  if (days instanceof Response) return days
  if (!days) return answer('We don’t know this calendar', 404)
  return new Response(writeCalendar(days, siteUrl, new Date()), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'inline; filename="potluck.ics"',
      'Cache-Control': 'private, no-store',
    },
  })
})

async function daysOf(token: string): Promise<Day[] | Response | undefined> {
  try {
    return await call('calendar_of', { p_token: token })
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    if (error instanceof Refused && error.status === 503) return error.answer()
    throw error
  }
}

const answer = (text: string, status: number) => new Response(text, { status })
