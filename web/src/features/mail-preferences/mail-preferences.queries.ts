import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/** Whether the signed-in person is mailed what they have not read. */
export const mailPreferenceQuery = query({
  key: ['mail-preference'],
  load: (signal) => rpc('get_mail_preference', {}, signal),
})
