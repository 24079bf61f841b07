import { config } from '#lib/config.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/** When the signed-in person's calendar got its address, as an ISO timestamp; null without one. */
export const calendarQuery = query({
  key: ['calendar'],
  load: (signal): Promise<string | null> => rpc('get_calendar', {}, signal),
})

/** The address calendar programs read. */
export const addressOf = (token: string) =>
  `${config().supabaseUrl.replace(/\/+$/, '')}/functions/v1/calendar/${token}.ics`
