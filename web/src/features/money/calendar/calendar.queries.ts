import { config } from '#lib/config.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/** Since when the signed-in person's calendar has its address, as an ISO timestamp; null without one. */
export const calendarQuery = query({
  key: ['calendar'],
  load: (signal): Promise<string | null> => rpc('get_calendar', {}, signal),
})

/** Where calendar programs read it. */
export const addressOf = (token: string) =>
  `${config().supabaseUrl.replace(/\/+$/, '')}/functions/v1/calendar/${token}.ics`
