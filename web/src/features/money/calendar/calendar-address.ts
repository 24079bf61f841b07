import { config } from '#lib/config.ts'

/** The URL of a calendar feed for calendar programs. */
export const calendarAddress = (token: string): string =>
  `${config().supabaseUrl.replace(/\/+$/, '')}/functions/v1/calendar/${token}.ics`
